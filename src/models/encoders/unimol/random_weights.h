#pragma once

#include <cstdint>

#include "models/encoders/descriptor.h"

namespace headroom::encoders::unimol {

/// Draws the tensors of a network of these sizes. The weights of layers are approximately normal with the
/// variance 1 / inputs, and embeddings have the variance 1. The means and widths of the kernels are evenly
/// spread over the distances of a molecule. Tensors that a training initialises with 1 or 0 have this value.
/// The activations are meaningless, but have a similar size as with trained weights.
///
/// Throws UsageError if a size is negative or above 65,536, or if the number of heads does not divide the
/// width.
io::TensorMap random_tensors(const NetworkSizes& sizes, std::uint64_t seed);

}  // namespace headroom::encoders::unimol
