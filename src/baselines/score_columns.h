#pragma once

#include <cstddef>
#include <vector>

#include "baselines/classifier_loss.h"
#include "baselines/labels.h"

namespace headroom::baselines {

/// The questions that a classifier's logits answer, one column of scores with labels 0, 1 or NaN each.
/// Two classes: column 1 alone. More classes: every class against the rest. Tasks: every task.
class ScoreColumns {
 public:
  ScoreColumns(LabelKind kind, std::size_t outputs);

  std::size_t count() const { return kind_ == LabelKind::classes && outputs_ == 2 ? 1 : outputs_; }
  std::vector<float> scores(const LabelledLogits& batch, std::size_t column) const;
  std::vector<float> labels(const LabelledLogits& batch, std::size_t column) const;
  /// The output that a column's scores come from.
  std::size_t output_of(std::size_t column) const { return count() == 1 && outputs_ == 2 ? 1 : column; }

 private:
  LabelKind kind_;
  std::size_t outputs_;
};

/// AUROC of each column, averaged over those that have both labels; 0.5 when none has.
double mean_auroc(const ScoreColumns& columns, const LabelledLogits& batch);

}  // namespace headroom::baselines
