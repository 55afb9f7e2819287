#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/ood/losses/pair_statistics.h"
#include "molgauge/train.h"

namespace molgauge::ood {

/// The training objective. An option that does not belong to the loss `kind` has no effect here. The parsers
/// of command lines and specifications reject such an option.
struct LossOptions : LossParameters {
  Loss kind = Loss::dpo;
};

/// A loss and its gradient with respect to every energy.
struct LossValue {
  double total = 0;                      ///< objective + lambda_reg * penalty
  double objective = 0;                  ///< the loss that `kind` selects
  double id_energy = 0, ood_energy = 0;  ///< mean energies of the ID and OOD molecules
  std::optional<PairStatistics> pairs;   ///< only set for the loss dpo
  std::vector<float> id_gradient, ood_gradient;

  double energy_separation() const { return ood_energy - id_energy; }
};

/// Computes the loss of ID energies a [n] and OOD energies b [m]. A larger energy means further out of
/// distribution. n and m may differ, and both are at least 1. Throws Error if an energy is not finite,
/// because the training has diverged.
///
/// Takes memory O(n + m), because there is no pair matrix. Sums are in double, in an order that does not
/// depend on `threads`. The result is therefore bit-identical for any number of threads.
LossValue energy_loss(std::span<const float> id, std::span<const float> ood, const LossOptions& options,
                      std::size_t threads);

}  // namespace molgauge::ood
