#pragma once

#include <cstddef>

#include "ood/loss_term.h"

namespace headroom::ood {

/// Pairwise preference (Energy-DPO): the mean over all n x m pairs of softplus(-beta * (b_j - a_i)).
///
/// Forward and backward are one pass over tiles of pairs: O(n m) time, O(n + m) memory. Tiles and the order
/// in which their sums are added are fixed, so the result has the same bytes for any number of threads.
/// (PyTorch replaces softplus(x) by x beyond 20, which changes a pair by less than 2.1e-9; here nothing is
/// cut.)
LossTerm dpo_loss(std::span<const float> id, std::span<const float> ood, double beta, std::size_t threads);

}  // namespace headroom::ood
