#pragma once

#include <cstdint>

#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders::unimol {

/// Draws the tensors of a network of these sizes. The weights of layers are approximately normal with the
/// variance 1 / inputs, and embeddings have the variance 1. The means and widths of the kernels are drawn
/// uniformly, so that the kernels cover the distances in a molecule. Biases are 0, and the weights of
/// normalisations are 1. The activations are meaningless, but are about as large as with trained weights.
///
/// Throws UsageError if a size is negative or above 65,536, or if the number of heads does not divide the
/// width.
io::TensorMap random_tensors(const NetworkSizes& sizes, std::uint64_t seed);

}  // namespace molgauge::encoders::unimol
