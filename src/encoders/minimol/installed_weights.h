#pragma once

#include <filesystem>
#include <string>

#include "encoders/minimol/parameters.h"

namespace headroom::encoders::minimol {

struct InstalledWeights {
  io::TensorMap tensors;  ///< the network's, checked (parameters.h)
  std::string sha256;     ///< of the tensors file, from its manifest
};

/// Reads minimol/minimol.safetensors and minimol/manifest.json in a folder of installed weights; empty:
/// $HEADROOM_HOME/weights. Throws Error saying how to install them when
/// there are none, InputError naming the file when they are not MiniMol's.
InstalledWeights read_installed_weights(const std::filesystem::path& weights);

}  // namespace headroom::encoders::minimol
