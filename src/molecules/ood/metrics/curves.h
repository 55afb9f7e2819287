#pragma once

#include <span>
#include <vector>

namespace molgauge::ood {

/// A point of a curve. Molecules with a score of at least the threshold count as OOD.
struct CurvePoint {
  double x = 0, y = 0;
  double threshold = 0;  ///< +infinity at the point at which all molecules count as ID
};

/// Receiver operating characteristic: x is the false-positive rate, y the true-positive rate. The curve is
/// exact and not thinned. It begins with (0, 0) and has one point for every distinct score, from the largest
/// score to (1, 1). Throws InputError as detection_metrics() does.
std::vector<CurvePoint> roc_curve(std::span<const float> id, std::span<const float> ood);

/// Precision and recall: x is the recall, y the precision. Contains (0, 1), then one point for every distinct
/// score.
std::vector<CurvePoint> precision_recall_curve(std::span<const float> id, std::span<const float> ood);

}  // namespace molgauge::ood
