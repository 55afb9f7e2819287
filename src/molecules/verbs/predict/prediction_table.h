#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/ensemble.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// The columns of predictions, and their cells.
///
/// The column TASK is the mean over the members. A multiclass task has a column for the probability of each
/// class instead: TASK_class_0 and so on. With several members, TASK_ensemble_std is the standard deviation
/// of their predictions (the divisor is the number of members). Heads with uncertainty have a further column.
/// For MVE heads and evidential heads, TASK_std is the root of the mean variance. The variance of an
/// evidential head is (1 + 1/v) beta / (alpha - 1) (Amini et al. 2020). TASK_interval is the mean width of
/// the interval. TASK_uncertainty, from 0 to 1, is the mean uncertainty of Dirichlet heads.
/// spelling_spread_TASK is the difference between the largest and the smallest prediction of several
/// spellings of a chiral molecule. For multiclass models, it is the largest of these differences over all
/// classes. TASK_drugbank_approved_percentile is the percentile of the prediction among the approved drugs of
/// ADMET-AI (percentile_of_score()).
class PredictionTable {
 public:
  /// `taken`: columns of the input. If a name is taken, a number is appended to it. `with_spread`: whether
  /// each task has a column spelling_spread_TASK.
  PredictionTable(const encoders::chemprop::ModelSet& set, const std::vector<std::string>& taken,
                  bool with_spread = false);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<PredictedTask>& tasks() const { return tasks_; }
  /// Returns the numbers of a molecule, one for each column. Numbers that are not finite become NaN. `row`:
  /// predictions of ChempropEncoder. `spread`: result of spread(), or empty for a molecule that is not
  /// chiral.
  std::vector<float> numbers(std::span<const float> row, const std::vector<float>& spread = {}) const;
  /// Returns the predicted values of each task: one number, or the probability of each class. They are means
  /// over the members. Numbers that are not finite become NaN.
  std::vector<std::vector<float>> values(std::span<const float> row) const;
  /// Counts the prediction of each task that is outside its plausible range. `counts`: one number for each
  /// task.
  void count_implausible(std::span<const float> row, std::vector<std::size_t>& counts) const;
  /// Adds the cells of a molecule.
  void append(std::span<const float> row, const std::vector<float>& spread,
              std::vector<std::string>& cells) const;
  /// Adds empty cells.
  void append_nothing(std::vector<std::string>& cells) const;
  /// The spread of each task over several rows, NaN if a prediction is not finite. `rows`: row-major.
  std::vector<float> spread(std::span<const float> rows) const;

 private:
  std::vector<encoders::chemprop::Ensemble> ensembles_;
  std::size_t width_ = 0;  ///< numbers in a row of predictions
  bool with_spread_ = false;
  std::vector<std::string> columns_;
  std::vector<PredictedTask> tasks_;
  std::map<std::string, std::vector<float>> drugs_;
};

}  // namespace molgauge::verbs
