#include "molecules/judging/predictions/class_calibration.h"

#include <algorithm>
#include <cmath>

#include "molecules/judging/predictions/conformal_quantile.h"
#include "molecules/judging/predictions/scaffold_clusters.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinToFit = 50;

/// Scores and labels for Venn-ABERS.
struct ScoredLabels {
  std::vector<double> probabilities;
  std::vector<bool> labels;

  void add(const CalibrationMolecule& own) {
    probabilities.push_back(own.predicted.value);
    labels.push_back(own.measured == 1);
  }
  bool have_both_classes() const {
    return std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) != labels.end();
  }
};

/// The calibrated probability of the class that is not predicted.
double of_other_class(const VennAbers& venn_abers, double probability) {
  const double merged = venn_abers.of(probability).merged();
  return predicts_one(probability) ? 1 - merged : merged;
}

}  // namespace

ClassCalibration::ClassCalibration(const std::vector<CalibrationMolecule>& molecules, double coverage,
                                   const std::vector<bool>& scored)
    : coverage_(coverage), fewest_(fewest_for_coverage(coverage)), terms_(terms_of_classes(molecules)) {
  std::vector<CalibrationMolecule> used;
  ScoredLabels labelled;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!scored.empty() && !scored[i]) {
      continue;
    }
    used.push_back(molecules[i]);
    labelled.add(molecules[i]);
    const double probability = molecules[i].predicted.value;
    const bool label = molecules[i].measured == 1;
    scores_[label ? 1 : 0].push_back(1 - (label ? probability : 1 - probability));
  }
  for (auto& scores : scores_) {
    std::sort(scores.begin(), scores.end());
  }
  if (labelled.have_both_classes()) {
    venn_abers_.emplace(labelled.probabilities, labelled.labels);
    fit_wrong_class(used);
  }
}

/// The probabilities of the other class come from Venn-ABERS without the scaffolds of the fold of a molecule.
void ClassCalibration::fit_wrong_class(const std::vector<CalibrationMolecule>& molecules) {
  if (!suffice_for_folds(molecules, kMinToFit)) {
    return;
  }
  DifficultyTerms terms(terms_.size());
  std::vector<bool> wrong;
  for (const CalibrationMolecule& own : molecules) {
    terms.append(values_of(terms_, own.predicted, own.place));
    wrong.push_back(predicts_one(own.predicted.value) != (own.measured == 1));
  }
  const std::vector<std::size_t> fold_of = folds_of_predictions(molecules);
  std::vector<double> others(molecules.size());
  for (std::size_t fold = 0; fold < kFoldsOfPredictions; ++fold) {
    ScoredLabels rest;
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      if (fold_of[i] != fold) {
        rest.add(molecules[i]);
      }
    }
    if (!rest.have_both_classes()) {
      return;
    }
    const VennAbers venn_abers(rest.probabilities, rest.labels);
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      if (fold_of[i] == fold) {
        others[i] = of_other_class(venn_abers, molecules[i].predicted.value);
      }
    }
  }
  wrong_class_.emplace(others, terms, wrong);
  if (wrong_class_->is_fitted()) {
    doubt_ = Doubt(terms_, wrong_class_->gradients(), molecules);
  }
}

PredictionSet ClassCalibration::set(double probability) const {
  PredictionSet result;
  const std::array<double, 2> scores = {1 - (1 - probability), 1 - probability};
  for (std::size_t label = 0; label < 2; ++label) {
    const auto& known = scores_[label];
    const auto larger =
        static_cast<std::size_t>(known.end() - std::lower_bound(known.begin(), known.end(), scores[label]));
    result.p_values[label] = static_cast<double>(larger + 1) / static_cast<double>(known.size() + 1);
    result.contains[label] = exceeds_error_rate(larger + 1, known.size(), coverage_);
    result.is_known[label] = known.size() >= fewest_;
  }
  if (venn_abers_) {
    result.probability = venn_abers_->of(probability);
  }
  return result;
}

double ClassCalibration::probability_of_error(const UserPrediction& prediction,
                                              const PredictionPlace& place) const {
  if (!venn_abers_) {
    return kNoNumber;
  }
  const double other = of_other_class(*venn_abers_, prediction.value);
  const std::vector<double> terms = values_of(terms_, prediction, place);
  const bool is_complete =
      std::none_of(terms.begin(), terms.end(), [](double number) { return std::isnan(number); });
  return wrong_class_ && is_complete ? wrong_class_->probability(other, terms) : other;
}

}  // namespace molgauge::domain
