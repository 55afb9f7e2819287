#pragma once

#include <cstdint>

#include "models/encoders/descriptor.h"

namespace headroom::encoders::unimol {

/// The tensors of a network of these sizes, drawn with the seed: weights of a layer from a nearly normal
/// distribution with the variance 1 / inputs, embeddings with the variance 1, means and widths of the kernels
/// evenly over the distances of a molecule; what a training begins with 1 or 0 has this value. The numbers in
/// the network are of the size of trained ones, but mean nothing.
///
/// Throws UsageError where a size is not positive or the heads do not divide the width.
io::TensorMap random_tensors(const NetworkSizes& sizes, std::uint64_t seed);

}  // namespace headroom::encoders::unimol
