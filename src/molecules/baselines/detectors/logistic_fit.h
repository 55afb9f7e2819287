#pragma once

#include <cstddef>

#include <ATen/ATen.h>

namespace molgauge::baselines {

/// A linear model of the logit of a probability: z = x w + b.
struct LogisticModel {
  at::Tensor weights;  ///< [width], float64
  double intercept = 0;
};

/// Returns the model that minimises |w|^2 / 2 + c sum(log(1 + exp(z)) - y z), as scikit-learn's
/// LogisticRegression. The intercept has no penalty. `rows` [n, width] and `labels` y [n] (0 or 1) are
/// float64 on the CPU. The solver is L-BFGS, which begins with `start` and stops when no component of the
/// gradient, divided by c n, exceeds 1e-6, or after 1,000 iterations. It uses no random numbers. Throws
/// InputError if the labels do not contain both 0 and 1, and Interrupted if the user asks to stop.
LogisticModel fit_logistic(const at::Tensor& rows, const at::Tensor& labels, double c,
                           const LogisticModel& start = {});

}  // namespace molgauge::baselines
