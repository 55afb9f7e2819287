#pragma once

#include <string>

#include "data/io/tensors/tensor_data.h"
#include "models/pocket/network.h"

namespace headroom::pocket {

/// Derives the shape of an encoder from its parameters. The names are the names in the state dicts of
/// RNA-3E-FFI. Other entries of a state dict (empty biases, masks, tables) are ignored. Not told: the gate's
/// absence where the irreps have scalars alone, mean, sum or max pooling (`mean` is taken), the average
/// number of neighbours, and V3's fixed weights. Throws InputError naming `source` and the parameter that is
/// missing or fits no encoder with irreps "a x0e + b x1o + c x2e".
EncoderShape shape_of(const io::TensorMap& state, const std::string& source);

/// Throws UsageError if no encoder can have this shape: the hidden irreps do not begin with even scalars or
/// have more of them later, or the heads do not divide the width of the pooling.
void require_possible(const EncoderShape& shape);

/// A parameter of a state dict in float32 and this shape ({}: one number). Throws InputError naming `source`
/// where it is missing or has another number of elements, or one that is not finite.
ops::Floats parameter_of(const io::TensorMap& state, const std::string& name,
                         const std::vector<std::int64_t>& shape, const std::string& source);

}  // namespace headroom::pocket
