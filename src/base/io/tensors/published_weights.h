#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// The place where a pretrained checkpoint is published, and its hash.
struct PublishedWeights {
  std::string encoder;            ///< "minimol"
  std::string package, version;   ///< package on PyPI; empty if no package has the checkpoint
  std::string member;             ///< path of the checkpoint inside the wheel, and its file name elsewhere
  std::string checkpoint_sha256;  ///< hash of the published checkpoint; empty if unknown
  std::string where = {};         ///< sentence about where to find the files, if there is no package
  /// Words in the file names that distinguish several kinds of weights with the same tensors, such as "no_h".
  /// There are none if only one kind exists.
  std::vector<std::string> variants = {};
};

/// A function of an encoder that checks the names and shapes of the tensors. Returns the tensors to keep, or
/// throws InputError.
using WeightCheck = std::function<TensorMap(TensorMap tensors, const std::filesystem::path& file)>;

}  // namespace molgauge::io
