#pragma once

#include "ood/loss_term.h"

namespace headroom::ood {

struct HingeOptions {
  double margin = 1.0;
  double topk = 0.0;  ///< share of the pairs that counts, the largest values; 0: all of them
  bool squared = false;
};

/// Mean over the n x m pairs of h_ij = max(0, margin - (b_j - a_i)), or of its square; with topk only the
/// largest k = max(1, floor(n m min(topk, 1))) values are averaged.
///
/// Exact from sorted energies and their running sums: O((n + m) log(n + m)) time, O(n + m) memory. Where
/// several pairs tie for the last places among the k, the value does not depend on which are taken; the
/// gradient is the mean over all choices (each tied pair takes the same share), hence independent of the
/// order of the input.
LossTerm hinge_loss(std::span<const float> id, std::span<const float> ood, const HingeOptions& options);

}  // namespace headroom::ood
