#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/io/tensors/tensor_data.h"
#include "numerics/ops/array.h"

namespace headroom::encoders::minimol {

/// Name and shape of every tensor the network is made of, in ASCII order of the names: 286 of them.
std::map<std::string, std::vector<std::int64_t>> parameter_shapes();

/// Picks the network's tensors from those of a file, under their names without "model.". That prefix is
/// optional, float16, bfloat16 and float32 are accepted, other names (task heads) are left out.
///
/// Throws InputError naming `file` and what is missing or of another shape or type.
io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file);

/// The numbers of a tensor as float32.
ops::Floats to_floats(const io::TensorData& tensor);

}  // namespace headroom::encoders::minimol
