#pragma once

#include <cstddef>
#include <vector>

#include "molecules/baselines/classifier/labels.h"

namespace molgauge::baselines {

/// Logits of a batch, row-major, and their labels.
struct LabelledLogits {
  const float* logits;  ///< [rows, outputs]
  const float* labels;  ///< [rows, columns of Labels::values]
  std::size_t rows = 0, outputs = 0;
};

/// Each loss function returns the loss and writes the gradient [rows, outputs] with respect to the logits.

/// The weight of the loss of an OOD molecule in cross_entropy().
inline constexpr float kOutlierWeight = 0.5F;

/// Mean over the rows of -log softmax(z)[label]. A row with the label NaN is an OOD molecule of outlier
/// exposure (Hendrycks, Mazeika and Dietterich 2019, arXiv:1812.04606): its target is the uniform
/// distribution. Its loss is minus the mean of log softmax(z), with the weight kOutlierWeight.
double cross_entropy(const LabelledLogits& batch, float* gradient);
/// Mean over the rows of (z - label)^2, for a classifier with one output.
double squared_error(const LabelledLogits& batch, float* gradient);
/// Mean binary cross-entropy with logits over the known labels. Positives of task t have the weight
/// positive_weight[t]. Returns 0 if no label is known.
double masked_binary_cross_entropy(const LabelledLogits& batch, const std::vector<float>& positive_weight,
                                   float* gradient);

/// Ratio of negatives to positives of each task among the known labels, or 1 if there are no positives.
std::vector<float> positive_weights(const Labels& tasks);

}  // namespace molgauge::baselines
