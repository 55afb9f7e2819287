#include "models/domain/saved/domain_tensors.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"

namespace headroom::domain {
namespace {

template <typename Number>
io::TensorData tensor_of(io::DataType type, std::vector<std::int64_t> shape,
                         std::span<const Number> numbers) {
  io::TensorData tensor{type, std::move(shape), {}};
  tensor.bytes.resize(numbers.size_bytes());
  if (!numbers.empty()) {
    std::memcpy(tensor.bytes.data(), numbers.data(), numbers.size_bytes());
  }
  return tensor;
}

io::TensorData floats(std::span<const float> numbers) {
  return tensor_of(io::DataType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

/// Throws InputError if the tensor is missing, or has another shape.
const io::TensorData& tensor(const io::TensorMap& tensors, const char* name, io::DataType type,
                             std::size_t dimensions) {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.type != type || found->second.shape.size() != dimensions) {
    throw InputError("the tensor " + std::string(name) + " is missing, or of another type or shape");
  }
  return found->second;
}

template <typename Number>
std::vector<Number> numbers_of(const io::TensorData& tensor) {
  std::vector<Number> numbers(tensor.bytes.size() / sizeof(Number));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), tensor.bytes.data(), numbers.size() * sizeof(Number));
  }
  return numbers;
}

std::vector<float> floats_of(const io::TensorMap& tensors, const char* name) {
  return numbers_of<float>(tensor(tensors, name, io::DataType::float32, 1));
}

Molecules molecules_from(const io::TensorMap& tensors) {
  const io::TensorData& features = tensor(tensors, "features", io::DataType::float32, 2);
  Molecules molecules;
  molecules.width = static_cast<std::size_t>(features.shape[1]);
  molecules.features = numbers_of<float>(features);
  const auto flat = numbers_of<std::int32_t>(tensor(tensors, "environments", io::DataType::int32, 2));
  const auto ends = numbers_of<std::int64_t>(tensor(tensors, "environment_ends", io::DataType::int64, 1));
  std::vector<Environment> own;
  std::size_t at = 0;
  for (const std::int64_t end : ends) {
    own.clear();
    if (end < static_cast<std::int64_t>(at) || 2 * static_cast<std::size_t>(end) > flat.size()) {
      throw InputError("the tensor environment_ends does not fit environments");
    }
    for (; at < static_cast<std::size_t>(end); ++at) {
      own.push_back({static_cast<std::uint32_t>(flat[2 * at]), static_cast<std::uint32_t>(flat[2 * at + 1])});
    }
    molecules.environments.append(std::span<const Environment>(own));
  }
  if (molecules.width == 0 || molecules.size() * molecules.width != molecules.features.size()) {
    throw InputError("the tensors features and environment_ends are of different lengths");
  }
  return molecules;
}

ScoreTail tail_of(const io::TensorMap& tensors, const char* name) {
  auto scores = floats_of(tensors, name);
  return scores.empty() ? ScoreTail() : ScoreTail(std::move(scores));
}

}  // namespace

io::TensorMap tensors_of(const CalibratedDomain& domain, std::span<const double> values) {
  const Molecules& training = domain.training();
  std::vector<std::int64_t> ends;
  std::vector<std::int32_t> environments;
  for (std::size_t i = 0; i < training.size(); ++i) {
    for (const Environment& environment : training.environments.of(i)) {
      environments.push_back(static_cast<std::int32_t>(environment.identifier));
      environments.push_back(static_cast<std::int32_t>(environment.count));
    }
    ends.push_back(static_cast<std::int64_t>(environments.size() / 2));
  }
  const std::vector<std::uint8_t> held_out(domain.held_out().begin(), domain.held_out().end());
  const auto count = static_cast<std::int64_t>(training.size());
  io::TensorMap tensors;
  tensors["features"] = io::TensorData::from_float32({count, static_cast<std::int64_t>(training.width)},
                                                     training.features.data());
  tensors["environments"] = tensor_of<std::int32_t>(
      io::DataType::int32, {static_cast<std::int64_t>(environments.size() / 2), 2}, environments);
  tensors["environment_ends"] = tensor_of<std::int64_t>(io::DataType::int64, {count}, ends);
  tensors["held_out"] = tensor_of<std::uint8_t>(io::DataType::uint8, {count}, held_out);
  tensors["calibration_random"] = floats(domain.calibration().random);
  tensors["calibration_scaffold"] = floats(domain.calibration().scaffold);
  const Reference::Scales& scales = domain.reference().scales();
  tensors["scale_knn"] = floats(scales.knn.scores());
  tensors["scale_rarity"] = floats(scales.rarity.scores());
  tensors["scale_coverage"] = floats(scales.coverage.scores());
  if (!values.empty()) {
    tensors["values"] = tensor_of<double>(io::DataType::float64, {count}, values);
  }
  return tensors;
}

DomainTensors domain_tensors_from(const io::TensorMap& tensors) {
  DomainTensors read;
  read.training = molecules_from(tensors);
  const auto marks = numbers_of<std::uint8_t>(tensor(tensors, "held_out", io::DataType::uint8, 1));
  read.held_out.assign(marks.begin(), marks.end());
  read.calibration = {floats_of(tensors, "calibration_random"), floats_of(tensors, "calibration_scaffold")};
  const auto held = static_cast<std::size_t>(std::count(read.held_out.begin(), read.held_out.end(), true));
  if (read.held_out.size() != read.training.size() || read.calibration.random.size() != held || held == 0 ||
      held + 2 > read.training.size()) {
    throw InputError("the number of molecules is not the same in all tensors");
  }
  if (tensors.contains("values")) {
    read.values = numbers_of<double>(tensor(tensors, "values", io::DataType::float64, 1));
    if (read.values.size() != read.training.size()) {
      throw InputError("the tensor values has another number of molecules than features");
    }
  }
  read.scales = {tail_of(tensors, "scale_knn"), tail_of(tensors, "scale_rarity"),
                 tail_of(tensors, "scale_coverage"), 0};
  return read;
}

}  // namespace headroom::domain
