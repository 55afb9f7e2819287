#pragma once

#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"
#include "molecules/baselines/detectors/nearest_neighbours.h"

/// Writes and reads the state of fitted detectors. The functions that read throw InputError, which names
/// `source` and the tensor, if the tensor is missing or has another shape.
namespace molgauge::baselines {

io::TensorData list_to_file(const std::vector<float>& numbers);
/// Reads a list of at least one number.
std::vector<float> take_list(const io::TensorMap& tensors, const std::string& name,
                             const std::string& source);

/// Reads rows [n, width], n at least 1.
at::Tensor take_rows(const io::TensorMap& tensors, const std::string& name, std::int64_t width,
                     const std::string& source);

/// The centre and the centred training molecules of a search, under the names "centre" and "points".
void add_search(const NearestNeighbours& search, io::TensorMap& tensors);
NearestNeighbours take_search(const io::TensorMap& tensors, std::int64_t width, const std::string& source);

}  // namespace molgauge::baselines
