#pragma once

#include <cstddef>

#include <ATen/ATen.h>

#include "memory/recover/recovery.h"
#include "models/ood/head/energy_head.h"
#include "models/ood/losses/loss.h"
#include "models/ood/metrics/metrics.h"

namespace headroom::ood {

struct Validation {
  double loss = 0;               ///< unweighted mean over the batches
  double energy_separation = 0;  ///< mean over the batches
  DetectionMetrics metrics;      ///< of all scores, pooled
};

/// Evaluates the head on item i = (id row i, ood row i), i < min(n_id, n_ood), in batches of `batch_size`.
/// The loss of a batch covers all its pairs. The surplus of the larger side is not used (data/ood, section
/// 8).
Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads);

/// As above. `recovery` is for batches of 2 * batch_size rows (models/train/pass_memory.h).
Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads,
                         memory::Recovery& recovery);

}  // namespace headroom::ood
