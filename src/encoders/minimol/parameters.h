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

/// Picks the network's tensors from those of a file, under their names without "model.". That prefix is
/// optional, float16, bfloat16 and float32 are accepted, other names (task heads) are left out.
///
/// Throws InputError naming `file` and what is missing or of another shape or type.
io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file);

/// The same as float32 tensors on the CPU.
Parameters take_parameters(io::TensorMap tensors, const std::filesystem::path& file);

}  // namespace headroom::encoders::minimol
