#pragma once

#include <cstdint>
#include <vector>

#include "data/io/tensors/tensor_data.h"
#include "models/pocket/array_operators.h"
#include "models/pocket/network.h"
#include "models/pocket/tensor_operators.h"
#include "models/train/parameters.h"

namespace headroom::pocket {

/// New parameters of an encoder, in the order in which it asks for them: irreps linears and queries are
/// standard normal, weights and biases of other layers uniform in +-1/sqrt(inputs), norms 1 and 0, the
/// weights of V2's paths 0.333. The values of a parameter depend only on its name, its shape and the seed.
std::vector<train::Parameter> draw_parameters(const EncoderShape& shape, std::uint64_t seed);

/// The encoder over these parameters, whose numbers it shares.
Encoder<TensorOperators> tensor_encoder(const EncoderShape& shape,
                                        const std::vector<train::Parameter>& parameters);
Encoder<ArrayOperators> array_encoder(const EncoderShape& shape,
                                      const std::vector<train::Parameter>& parameters);

}  // namespace headroom::pocket
