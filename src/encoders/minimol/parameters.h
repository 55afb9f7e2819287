#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "io/tensor_data.h"

namespace headroom::encoders::minimol {

/// The network's tensors by the names of the published checkpoint, without its prefix "model.".
using Parameters = std::map<std::string, at::Tensor>;

/// Name and shape of every tensor the network is made of, in ASCII order of the names: 286 of them.
std::map<std::string, std::vector<std::int64_t>> parameter_shapes();

/// Takes the network's tensors from those of a file, as float32 on the CPU. An optional prefix "model." is
/// stripped, float16, bfloat16 and float32 are accepted, other names (task heads) are ignored.
///
/// Throws InputError naming `file` and everything that is missing or of another shape or type.
Parameters take_parameters(const io::TensorMap& tensors, const std::filesystem::path& file);

}  // namespace headroom::encoders::minimol
