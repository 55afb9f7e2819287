#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/io/tensors/tensor_data.h"
#include "models/ood/head/energy_head.h"
#include "models/ood/losses/loss.h"

namespace headroom::test {

/// The head of losses.npz under "head." or "head_h64.", its last layer multiplied by `scale`.
ood::EnergyHead reference_head(const io::TensorMap& arrays, const std::string& name, double scale);

/// The options of a case of losses.json or trajectory.json.
ood::LossOptions loss_options(const nlohmann::json& config);

/// The loss of these features, and its gradient in the head's parameters.
ood::LossValue backward(const ood::EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                        const ood::LossOptions& options);

/// Numbers of a row-major tensor; every 37th where the fixture keeps a sample.
std::vector<float> numbers(const at::Tensor& tensor, bool sampled);

}  // namespace headroom::test
