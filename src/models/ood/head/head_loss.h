#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "models/ood/losses/loss.h"

namespace headroom::ood {

/// A copy of energies [n] (float32, any device).
std::vector<float> to_vector(const at::Tensor& energies);

/// The loss of energies [n + m]; the first n are ID, the rest is OOD.
LossValue head_loss(const at::Tensor& energies, std::int64_t id_count, const LossOptions& options,
                    std::size_t threads);

/// The loss's gradient [n + m] with respect to those energies, on their device.
at::Tensor energy_gradient(const LossValue& loss, at::Device device);

}  // namespace headroom::ood
