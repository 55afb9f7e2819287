#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/io/tensors/tensor_data.h"
#include "pockets/network.h"

namespace molgauge::test {

/// A reference file of an encoder: its outputs, gradients and constructor arguments.
struct ReferenceEncoder {
  std::string name;       ///< "v2_small_mean"
  nlohmann::json config;  ///< the constructor arguments of the original
  pocket::EncoderShape
      shape;          ///< the shape that these arguments describe, with the layer norm of the original
  std::string state;  ///< reference file of the parameters: "pocket/v2_small_state.pt"
  std::string batch;  ///< reference file of the pockets
  io::TensorMap arrays;
};

/// All reference encoders in the order of their names.
std::vector<ReferenceEncoder> reference_encoders();

/// The reference encoder of this name. Throws std::out_of_range if there is none.
ReferenceEncoder reference_encoder(const std::string& name);

}  // namespace molgauge::test
