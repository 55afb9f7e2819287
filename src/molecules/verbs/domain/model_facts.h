#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/pages/domain_page.h"
#include "molgauge/predict.h"

namespace molgauge::session {

/// The facts of a page about predictions of a model without calibration. For each task, they are the
/// predicted value, the spread of the ensemble and the uncertainty of the head. A page shows eight tasks at
/// most.
class ModelFacts {
 public:
  explicit ModelFacts(std::vector<PredictedTask> tasks);

  std::vector<report::Term> terms() const;
  /// Returns one text for each term of terms(). `cells`: the cells of a molecule, one for each column of each
  /// task, in order.
  std::vector<std::string> facts(std::span<const std::string> cells) const;
  /// Returns a sentence about tasks that the page does not show, or an empty text if it shows all.
  std::string notice() const;

 private:
  std::vector<PredictedTask> tasks_;
};

}  // namespace molgauge::session
