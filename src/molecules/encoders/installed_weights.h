#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders {

struct InstalledWeights {
  io::TensorMap tensors;  ///< tensors that the descriptor of the encoder selects
  // The following fields are from the manifest.
  std::string sha256;   ///< hash of the tensors file
  std::string variant;  ///< one of the published kinds of weights; empty if there is only one kind
  std::optional<std::uint64_t> random_seed;  ///< seed, if the weights are random
};

/// Reads NAME/NAME.safetensors and NAME/manifest.json from the folder `weights`. If `weights` is empty, reads
/// from $MOLGAUGE_HOME/weights. Throws Error with installation instructions if a file is missing, and
/// InputError with the file if it does not belong to the encoder.
InstalledWeights read_installed_weights(const EncoderDescriptor& encoder,
                                        const std::filesystem::path& weights);

}  // namespace molgauge::encoders
