#pragma once

#include <cstdint>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "base/train/parameters.h"
#include "pockets/array_operators.h"
#include "pockets/network.h"
#include "pockets/tensor_operators.h"

namespace molgauge::pocket {

/// Initialises the parameters of an encoder, in the order in which the encoder requests them. Linear layers
/// of irreps, and queries, have a standard normal distribution. Weights and biases of other layers are
/// uniform in +-1/sqrt(inputs). Normalisations have weight 1 and bias 0, and path weights of V2 are 0.333.
/// The values of a parameter depend only on its name, its shape and the seed.
std::vector<train::Parameter> draw_parameters(const EncoderShape& shape, std::uint64_t seed);

/// The two functions below create an encoder that shares the memory of the parameters.
Encoder<TensorOperators> tensor_encoder(const EncoderShape& shape,
                                        const std::vector<train::Parameter>& parameters);
Encoder<ArrayOperators> array_encoder(const EncoderShape& shape,
                                      const std::vector<train::Parameter>& parameters);

}  // namespace molgauge::pocket
