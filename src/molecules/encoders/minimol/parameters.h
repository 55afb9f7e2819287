#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "base/numerics/ops/array.h"

namespace molgauge::encoders::minimol {

/// Name and shape of the 286 tensors of the network, in ASCII order of the names.
std::map<std::string, std::vector<std::int64_t>> parameter_shapes();

/// Selects the tensors of the network from a file. Removes the prefix "model." from their names, if they have
/// it. Accepts float16, bfloat16 and float32. Leaves out other tensors, such as task heads.
///
/// Throws InputError with `file` and the tensor that is missing or has another shape or type.
io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file);

/// The numbers of a tensor as float32.
ops::Floats to_floats(const io::TensorData& tensor);

}  // namespace molgauge::encoders::minimol
