#pragma once

#include <cstddef>

#include <ATen/ATen.h>

#include "base/memory/recover/recovery.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/losses/loss.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::ood {

struct Validation {
  double loss = 0;               ///< mean loss over the batches, not weighted by their sizes
  double energy_separation = 0;  ///< mean over the batches
  DetectionMetrics metrics;      ///< metrics of all scores together
};

/// Evaluates the head in batches of `batch_size` items. Item i is the pair of ID row i and OOD row i, for i <
/// min(n_id, n_ood). The loss of a batch covers all pairs of its ID and OOD rows. If there are more ID rows
/// than OOD rows, or the reverse, the remaining rows are not used, as in the Python project.
Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads);

/// Does the same with the given recovery from out-of-memory errors, so that several calls can share it.
/// `recovery` must be for batches of 2 * batch_size rows (base/train/pass_memory.h).
Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads,
                         memory::Recovery& recovery);

}  // namespace molgauge::ood
