#pragma once

#include <string>

#include "base/io/tensors/tensor_data.h"
#include "pockets/network.h"

namespace molgauge::pocket {

/// Derives the shape of an encoder from its parameters. Parameters have the names of the state dicts of
/// RNA-3E-FFI. Other entries of a state dict (empty biases, masks, tables) are ignored.
///
/// Some options cannot be derived and keep their defaults: the gate if all irreps are scalars, the average
/// number of neighbours, and the fixed weights of V3. Mean, sum and max pooling cannot be distinguished, so
/// `mean` is assumed. Throws InputError with `source` and the parameter if a parameter is missing, or if its
/// shape is impossible for an encoder with irreps "a x0e + b x1o + c x2e".
EncoderShape shape_of(const io::TensorMap& state, const std::string& source);

/// Throws UsageError if the shape is impossible. The hidden irreps must begin with even scalars and have no
/// second block of scalars. The number of heads must divide the width of the pooling.
void require_possible(const EncoderShape& shape);

/// Returns a parameter of a state dict as float32 with the given shape. The shape {} means one number. Throws
/// InputError with `source` if the parameter is missing, has another number of elements or is not finite.
ops::Floats parameter_of(const io::TensorMap& state, const std::string& name,
                         const std::vector<std::int64_t>& shape, const std::string& source);

}  // namespace molgauge::pocket
