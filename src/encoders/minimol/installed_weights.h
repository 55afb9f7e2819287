#pragma once

#include <filesystem>
#include <string>

#include "encoders/minimol/parameters.h"

namespace headroom::encoders::minimol {

struct InstalledWeights {
  Parameters parameters;
  std::string sha256;  ///< of the tensors file, from its manifest
};

/// Reads minimol.safetensors and manifest.json of a folder. Throws Error saying how to install them when
/// there are none, InputError naming the file when they are not MiniMol's.
InstalledWeights read_installed_weights(const std::filesystem::path& folder);

}  // namespace headroom::encoders::minimol
