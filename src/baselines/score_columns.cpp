#include "baselines/score_columns.h"

#include "core/error.h"
#include "ood/metrics.h"

namespace headroom::baselines {
namespace {

double auroc(const std::vector<float>& scores, const std::vector<float>& labels) {
  std::vector<float> negatives, positives;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (labels[i] == 1) {
      positives.push_back(scores[i]);
    } else if (labels[i] == 0) {
      negatives.push_back(scores[i]);
    }
  }
  return negatives.empty() || positives.empty()
             ? -1
             : ood::detection_metrics(std::span<const float>(negatives), std::span<const float>(positives))
                   .auroc;
}

}  // namespace

ScoreColumns::ScoreColumns(LabelKind kind, std::size_t outputs) : kind_(kind), outputs_(outputs) {
  if (kind == LabelKind::continuous) {
    throw UsageError("continuous labels have no positives: AUC maximisation needs classes or tasks");
  }
}

std::vector<float> ScoreColumns::scores(const LabelledLogits& batch, std::size_t column) const {
  std::vector<float> result(batch.rows);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    result[i] = batch.logits[i * outputs_ + output_of(column)];
  }
  return result;
}

std::vector<float> ScoreColumns::labels(const LabelledLogits& batch, std::size_t column) const {
  std::vector<float> result(batch.rows);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    result[i] = kind_ == LabelKind::tasks
                    ? batch.labels[i * outputs_ + column]
                    : static_cast<float>(batch.labels[i] == static_cast<float>(output_of(column)));
  }
  return result;
}

double mean_auroc(const ScoreColumns& columns, const LabelledLogits& batch) {
  double sum = 0, counted = 0;
  for (std::size_t column = 0; column < columns.count(); ++column) {
    const double area = auroc(columns.scores(batch, column), columns.labels(batch, column));
    if (area >= 0) {
      sum += area;
      ++counted;
    }
  }
  return counted > 0 ? sum / counted : 0.5;
}

}  // namespace headroom::baselines
