#pragma once

#include <array>
#include <cstddef>

#include <ATen/ATen.h>

#include "molecules/baselines/detectors/neighbour_detectors.h"

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

/// Logistic regression of OOD (label 1) against ID molecules (label 0) on standardised features. The score is
/// the logit. fit() chooses the inverse penalty C of kInversePenalties with the highest AUROC on the
/// molecules of FitData::selection. If several have the highest AUROC, it chooses the smallest C, which is
/// the strongest penalty. fit() throws InputError without molecules of both kinds.
class LogisticRegression : public Detector {
 public:
  static constexpr std::array kInversePenalties = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1};

  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

  double inverse_penalty() const { return inverse_penalty_; }  ///< the chosen C

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  void set(const LogisticModel& model, double inverse_penalty);

  Standardization standardization_;
  at::Tensor weights_;  ///< [width], float32
  float intercept_ = 0;
  double inverse_penalty_ = 0;
};

}  // namespace molgauge::baselines
