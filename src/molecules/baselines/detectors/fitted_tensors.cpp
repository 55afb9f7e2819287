#include "molecules/baselines/detectors/fitted_tensors.h"

#include "base/core/error.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::baselines {
namespace {

/// Number of rows of the tensor, which must have this many dimensions.
std::int64_t rows_of(const io::TensorMap& tensors, const std::string& name, std::size_t dimensions,
                     const std::string& source) {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.shape.size() != dimensions || found->second.shape[0] < 1) {
    throw InputError(source + ": has no tensor " + name + " of the kind that is expected");
  }
  return found->second.shape[0];
}

}  // namespace

io::TensorData list_to_file(const std::vector<float>& numbers) {
  return io::TensorData::from_float32({static_cast<std::int64_t>(numbers.size())}, numbers.data());
}

std::vector<float> take_list(const io::TensorMap& tensors, const std::string& name,
                             const std::string& source) {
  rows_of(tensors, name, 1, source);
  return tensors.at(name).to_float32();
}

at::Tensor take_rows(const io::TensorMap& tensors, const std::string& name, std::int64_t width,
                     const std::string& source) {
  return torch::take_tensor(tensors, name, {rows_of(tensors, name, 2, source), width}, source).contiguous();
}

void add_search(const NearestNeighbours& search, io::TensorMap& tensors) {
  const NearestNeighbours::Centred centred = search.centred();
  tensors["centre"] = torch::to_file(centred.centre);
  tensors["points"] = torch::to_file(centred.points);
}

NearestNeighbours take_search(const io::TensorMap& tensors, std::int64_t width, const std::string& source) {
  at::Tensor centre = torch::take_tensor(tensors, "centre", {width}, source);
  return NearestNeighbours(
      NearestNeighbours::Centred{std::move(centre), take_rows(tensors, "points", width, source)});
}

}  // namespace molgauge::baselines
