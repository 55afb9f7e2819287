#pragma once

#include <string>

#include "data/io/tensors/tensor_data.h"
#include "models/pocket/network.h"

namespace headroom::pocket {

/// Derives the shape of an encoder from its parameters, which have the names of the state dicts of
/// RNA-3E-FFI. Other entries of a state dict (empty biases, masks, tables) are ignored. The parameters do not
/// show some options: the gate if all irreps are scalars, the choice between mean, sum and max pooling
/// (`mean` is assumed), the average number of neighbours, and the fixed weights of version 3. Throws
/// InputError naming `source` and the parameter that is missing or fits no encoder with irreps "a x0e + b x1o
/// + c x2e".
EncoderShape shape_of(const io::TensorMap& state, const std::string& source);

/// Throws UsageError if no encoder can have this shape: the hidden irreps do not begin with even scalars or
/// have a second block of scalars, or the number of heads does not divide the width of the pooling.
void require_possible(const EncoderShape& shape);

/// Returns a parameter of a state dict as float32 in this shape ({}: one number). Throws InputError naming
/// `source` if the parameter is missing, has another number of elements or is not finite.
ops::Floats parameter_of(const io::TensorMap& state, const std::string& name,
                         const std::vector<std::int64_t>& shape, const std::string& source);

}  // namespace headroom::pocket
