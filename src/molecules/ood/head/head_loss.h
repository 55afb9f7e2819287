#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "molecules/ood/losses/loss.h"

namespace molgauge::ood {

/// Copies energies [n] (float32, any device) to the CPU.
std::vector<float> to_vector(const at::Tensor& energies);

/// The loss of energies [n + m]. The first n are ID, the rest are OOD.
LossValue head_loss(const at::Tensor& energies, std::int64_t id_count, const LossOptions& options,
                    std::size_t threads);

/// Returns the gradient [n + m] of the loss with respect to the energies, as a tensor on `device`.
at::Tensor energy_gradient(const LossValue& loss, at::Device device);

}  // namespace molgauge::ood
