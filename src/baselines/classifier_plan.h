#pragma once

#include <cstddef>
#include <cstdint>

#include "baselines/classifier_trainer.h"
#include "headroom/memory_plan.h"

namespace headroom::baselines {

/// What a classifier is trained on.
struct ClassifierSizes {
  std::size_t width = 0, outputs = 1;        ///< of the features; of the classifier
  std::size_t training = 0, validation = 0;  ///< molecules
  std::uint64_t feature_bytes = 0;           ///< of all molecules that are in memory while it is trained
};

/// Plans the training of a classifier, in tensors: `budget_bytes` for features, classifier and steps,
/// `outside_bytes` live already and are no part of that. Runs a few steps on made-up features; no other
/// thread makes tensors meanwhile. `chosen` is empty where it does not fit: its steps are run in one way
/// alone.
MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes);

}  // namespace headroom::baselines
