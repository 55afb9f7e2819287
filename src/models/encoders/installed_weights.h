#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/io/tensors/tensor_data.h"
#include "models/encoders/descriptor.h"

namespace headroom::encoders {

struct InstalledWeights {
  io::TensorMap tensors;  ///< those that the encoder's descriptor selects
  // From the manifest:
  std::string sha256;   ///< hash of the tensors file
  std::string variant;  ///< which of the published kinds of weights; empty where there is one
  std::optional<std::uint64_t> random_seed;  ///< the numbers are random, drawn with this seed
};

/// Reads NAME/NAME.safetensors and NAME/manifest.json in a folder of installed weights; empty:
/// $HEADROOM_HOME/weights. Throws Error with installation instructions if they are missing. Throws InputError
/// with the file if they do not belong to the encoder.
InstalledWeights read_installed_weights(const EncoderDescriptor& encoder,
                                        const std::filesystem::path& weights);

}  // namespace headroom::encoders
