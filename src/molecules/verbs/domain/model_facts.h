#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/pages/domain_page.h"
#include "molecules/verbs/domain/contributions.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// The facts of a page about predictions of a model without calibration. For each task, they are the
/// predicted value, the spread of the ensemble, the uncertainty of the head and the percentile among drugs.
/// Tasks of ADMET-AI come in the order of their importance. A page shows eight tasks until the reader chooses
/// others.
class ModelFacts {
 public:
  explicit ModelFacts(std::vector<PredictedTask> tasks);

  std::vector<report::Term> terms() const;
  /// Returns one text for each term of terms(). `cells`: the cells of a molecule, one for each column of each
  /// task, in order.
  std::vector<std::string> facts(std::span<const std::string> cells) const;
  /// Returns the tasks that a page shows at first, without multiclass tasks.
  std::vector<Contributions::Task> contributed_tasks() const;
  /// Returns a sentence about tasks that the page does not show at first, or an empty text if it shows all.
  std::string notice() const;

 private:
  /// A task, its index in the models, and the index of its first cell.
  struct Placed {
    PredictedTask task;
    std::size_t index = 0, first_cell = 0;
  };

  std::vector<Placed> tasks_;
  std::size_t tasks_left_out_ = 0;
};

}  // namespace molgauge::verbs
