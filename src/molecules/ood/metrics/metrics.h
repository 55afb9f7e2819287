#pragma once

#include <span>

#include "molgauge/choices.h"

namespace molgauge::ood {

/// Metrics as fractions, not percentages. OOD is the positive class. A larger score means further out of
/// distribution.
struct DetectionMetrics {
  double auroc = 0;  ///< AUROC from ranks, ties count half
  double aupr = 0;
  double fpr95 = 0;
};

/// Sorts all scores once. Throws InputError if a group is empty or a score is not finite.
DetectionMetrics detection_metrics(std::span<const float> id, std::span<const float> ood,
                                   MetricVariant variant = MetricVariant::evaluation);
DetectionMetrics detection_metrics(std::span<const double> id, std::span<const double> ood,
                                   MetricVariant variant = MetricVariant::evaluation);

/// Computes the metrics with ID as the positive class, as in many papers. A molecule with a low score is then
/// classified as ID. AUPR is the average precision of finding ID molecules. FPR95 is the share of the OOD
/// molecules that are classified as ID at the threshold that finds 95 % of the ID molecules. AUROC does not
/// depend on the positive class.
DetectionMetrics id_positive_metrics(std::span<const float> id, std::span<const float> ood,
                                     MetricVariant variant = MetricVariant::evaluation);

/// Mean and population standard deviation.
struct ScoreSummary {
  double mean = 0, standard_deviation = 0;
};
ScoreSummary summarize(std::span<const float> scores);
ScoreSummary summarize(std::span<const double> scores);

}  // namespace molgauge::ood
