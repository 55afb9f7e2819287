#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace molgauge::baselines {

/// The scalars of the AUC-margin loss: a and b approach the mean scores of positives and negatives. alpha is
/// the dual variable.
struct AucMarginVariables {
  double a = 0, b = 0, alpha = 0;
};

struct AucMarginValue {
  double loss = 0;
  AucMarginVariables gradient;
};

/// The AUC-margin loss (Yuan et al. 2021, arXiv:2012.03173; LibAUC's form "v1"): with scores s, labels y and
/// the share p of positives among them,
///   (1-p) mean(1[y=1] (s-a)^2) + p mean(1[y=0] (s-b)^2) - p(1-p) alpha^2
///   + 2 alpha (p(1-p) margin + mean(p s 1[y=0] - (1-p) s 1[y=1])),
/// with means over all rows. Rows with the label NaN are ignored. Returns 0 if all labels are NaN. `gradient`
/// receives the gradient with respect to the scores.
AucMarginValue auc_margin_loss(std::span<const float> scores, std::span<const float> labels,
                               const AucMarginVariables& variables, double margin, std::span<float> gradient);

struct PesgOptions {
  double learning_rate = 0.1, momentum = 0.9, weight_decay = 5e-4, epoch_decay = 2e-3, margin = 1.0;
};

/// The primal-dual optimizer of the AUC-margin loss (PESG, LibAUC 1.4): for every parameter, and for a and b:
///   g = clamp(gradient, -1, 1) + epoch_decay (w - w_ref) + weight_decay w,
///   v = g in the first step, then (1 - momentum) v + momentum g; w -= rate v;
/// then alpha = clamp(alpha + rate (2 (margin + b - a) - 2 alpha), 0, 999). The references w_ref never
/// change.
class Pesg {
 public:
  /// `reference`: w_ref of the parameters. `scalar_references`: w_ref of a and b.
  Pesg(std::vector<float> reference, std::vector<AucMarginVariables> scalar_references,
       const PesgOptions& options);
  /// Draws the references from N(0, 0.01^2), as LibAUC does.
  static Pesg with_drawn_references(std::size_t parameters, std::size_t score_columns,
                                    const PesgOptions& options, std::uint64_t seed);

  void step(std::span<float> parameters, std::span<const float> gradient,
            std::span<const AucMarginVariables> scalar_gradients);
  /// The scalars a, b and alpha of each column of scores.
  std::span<const AucMarginVariables> variables() const { return variables_; }

 private:
  void step_variables(std::size_t column, const AucMarginVariables& gradient);

  PesgOptions options_;
  std::vector<float> reference_, momentum_;
  std::vector<AucMarginVariables> scalar_reference_, scalar_momentum_, variables_;
  bool first_ = true;
};

}  // namespace molgauge::baselines
