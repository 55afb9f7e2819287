#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace molgauge::encoders::chemprop {

/// The meaning of a published task.
struct TaskFacts {
  std::string_view name;       ///< name in the checkpoint
  std::string_view title;      ///< name for readers
  std::string_view category;   ///< absorption, distribution, metabolism, excretion or toxicity
  std::string_view unit;       ///< empty for a classification
  std::string_view class_one;  ///< what a molecule of class 1 does, for example "blocks the hERG channel"
  double lowest, highest;      ///< plausible range. Infinite without a limit
};

/// Returns the facts about a task of ADMET-AI, or null if it is not one of its 41 tasks.
const TaskFacts* find_admet_task(std::string_view name);

/// The position of a task in the order in which pages list them. The tasks that decide about most compounds
/// come first, then the others by category.
std::size_t importance(const TaskFacts& task);

/// The percentile of a value among ascending values, like scipy.stats.percentileofscore: equal values count
/// half.
double percentile_of_score(std::span<const float> ascending, float value);

}  // namespace molgauge::encoders::chemprop
