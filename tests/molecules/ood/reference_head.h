#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/io/tensors/tensor_data.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/losses/loss.h"

namespace molgauge::test {

/// The head of losses.npz under "head." or "head_h64.", with its last layer multiplied by `scale`.
ood::EnergyHead reference_head(const io::TensorMap& arrays, const std::string& name, double scale);

/// The options of a case in losses.json or trajectory.json.
ood::LossOptions loss_options(const nlohmann::json& config);

/// The loss of these features, and its gradient with respect to the parameters of the head.
ood::LossValue backward(const ood::EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                        const ood::LossOptions& options);

/// The numbers of a row-major tensor, or every 37th number if the fixture stores a sample.
std::vector<float> numbers(const at::Tensor& tensor, bool sampled);

}  // namespace molgauge::test
