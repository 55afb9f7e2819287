#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace molgauge::ood {

/// Computes log(1 + exp(x)) without overflow.
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

inline double mean(std::span<const float> energies) {
  return std::accumulate(energies.begin(), energies.end(), 0.0) / static_cast<double>(energies.size());
}

/// Value of one objective, without the penalty, and its derivatives.
struct LossTerm {
  double value = 0;
  std::vector<double> id_gradient, ood_gradient;
};

/// Pairwise preference (Energy-DPO): the mean over all n x m pairs of softplus(-beta * (b_j - a_i)).
///
/// Loss and gradient are computed in one pass over tiles of pairs, in O(n m) time and O(n + m) memory. The
/// tiles and the order in which their sums are added are fixed, so the result is bit-identical for any number
/// of threads. PyTorch replaces softplus(x) by x for x > 20, which changes a pair by less than 2.1e-9. This
/// implementation does not.
LossTerm dpo_loss(std::span<const float> id, std::span<const float> ood, double beta, std::size_t threads);

struct HingeOptions {
  double margin = 1.0;
  /// If topk > 0, only this fraction of the pairs counts: the pairs with the largest hinges.
  double topk = 0.0;
  bool squared = false;
};

/// Mean over the n x m pairs of h_ij = max(0, margin - (b_j - a_i)), or of its square. With topk, only the
/// largest k = max(1, floor(n m min(topk, 1))) values are averaged.
///
/// The result is exact. The computation uses sorted energies and their running sums, in O((n + m) log(n + m))
/// time and O(n + m) memory. If several pairs tie for the last of the k values, they share the remaining
/// weight equally in the gradient. The gradient therefore does not depend on the order of the input.
LossTerm hinge_loss(std::span<const float> id, std::span<const float> ood, const HingeOptions& options);

/// Binary cross-entropy with logits over the n + m samples, with target 0 for ID and 1 for OOD. The larger
/// group has more weight.
LossTerm bce_loss(std::span<const float> id, std::span<const float> ood);

/// mean(sigmoid(a)^2) + mean((1 - sigmoid(b))^2). Both groups have the same weight.
LossTerm mse_loss(std::span<const float> id, std::span<const float> ood);

}  // namespace molgauge::ood
