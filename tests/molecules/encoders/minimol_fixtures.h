#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/minimol/inputs.h"
#include "molecules/encoders/minimol/network.h"

namespace molgauge::test {

/// Returns weights from a formula. They are the same on every machine and need no file.
io::TensorMap formula_weights();

/// The network on plain arrays, with these weights.
encoders::minimol::Network<ops::Operators> plain_network(const io::TensorMap& weights,
                                                         ops::Precision precision = ops::Precision::fp32);

/// A synthetic molecule: a chain of `atoms` atoms with distinct numbers.
encoders::minimol::Inputs chain_molecule(std::size_t atoms);

/// The stored reference molecules.
std::vector<encoders::minimol::Inputs> reference_inputs();

/// The published weights: a folder, a wheel or a .pth named by $MOLGAUGE_TEST_WEIGHTS. Empty if it is not
/// set.
std::optional<io::TensorMap> published_weights();

std::vector<const encoders::minimol::Inputs*> pointers(
    const std::vector<encoders::minimol::Inputs>& molecules);

/// Converts an array of a fixture to float64.
at::Tensor to_float64(const io::TensorData& data);

/// The largest absolute difference. Infinite if shapes differ or a number is not finite.
double largest_difference(const at::Tensor& left, const at::Tensor& right);

}  // namespace molgauge::test
