#pragma once

#include <filesystem>
#include <string>

#include "encoders/descriptor.h"
#include "io/tensors/tensor_data.h"

namespace headroom::encoders {

struct InstalledWeights {
  io::TensorMap tensors;  ///< those that the encoder's descriptor selects
  std::string sha256;     ///< hash of the tensors file, from its manifest
};

/// Reads NAME/NAME.safetensors and NAME/manifest.json in a folder of installed weights; empty:
/// $HEADROOM_HOME/weights. Throws Error saying how to install them when there are none, InputError naming the
/// file when they are not the encoder's.
InstalledWeights read_installed_weights(const EncoderDescriptor& encoder,
                                        const std::filesystem::path& weights);

}  // namespace headroom::encoders
