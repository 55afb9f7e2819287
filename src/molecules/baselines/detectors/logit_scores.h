#pragma once

#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "molecules/baselines/classifier/labels.h"

namespace molgauge::baselines {

/// The confidence of a classifier, from its logits [n, outputs]: the largest class probability (softmax). For
/// tasks and single outputs, it is the mean over the outputs of max(p, 1 - p), p = sigmoid(z). `temperature`
/// divides the logits.
std::vector<float> confidence(const at::Tensor& logits, LabelKind kind, double temperature = 1);

/// Minus the logarithm of the sum of exp(z) over the classes. For tasks, it is the mean over the tasks of
/// minus log(exp(z) + exp(-z)) (Liu et al. 2020, arXiv:2010.03759).
std::vector<float> free_energy(const at::Tensor& logits, LabelKind kind);

/// Class probabilities of one row of logits, or one sigmoid for each task. One value for each logit.
void probabilities(std::span<const float> logits, LabelKind kind, std::span<double> result);

}  // namespace molgauge::baselines
