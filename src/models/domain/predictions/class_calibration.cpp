#include "models/domain/predictions/class_calibration.h"

#include <algorithm>

#include "models/domain/predictions/conformal_quantile.h"

namespace headroom::domain {

ClassCalibration::ClassCalibration(const std::vector<CalibrationMolecule>& molecules, double coverage,
                                   const std::vector<bool>& scored)
    : coverage_(coverage), fewest_(fewest_for_coverage(coverage)) {
  std::vector<double> probabilities;
  std::vector<bool> labels;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!scored.empty() && !scored[i]) {
      continue;
    }
    const double probability = molecules[i].predicted.value;
    const bool label = molecules[i].measured == 1;
    probabilities.push_back(probability);
    labels.push_back(label);
    scores_[label ? 1 : 0].push_back(1 - (label ? probability : 1 - probability));
  }
  for (auto& scores : scores_) {
    std::sort(scores.begin(), scores.end());
  }
  if (!scores_[0].empty() && !scores_[1].empty()) {
    venn_abers_.emplace(probabilities, labels);
  }
}

PredictionSet ClassCalibration::set(double probability) const {
  PredictionSet result;
  const std::array<double, 2> scores = {1 - (1 - probability), 1 - probability};
  for (std::size_t label = 0; label < 2; ++label) {
    const auto& known = scores_[label];
    const auto larger = known.end() - std::lower_bound(known.begin(), known.end(), scores[label]);
    result.p_values[label] = static_cast<double>(larger + 1) / static_cast<double>(known.size() + 1);
    result.contains[label] = result.p_values[label] >= 1 - coverage_;
    result.is_known[label] = known.size() >= fewest_;
  }
  if (venn_abers_) {
    result.probability = venn_abers_->of(probability);
  }
  return result;
}

}  // namespace headroom::domain
