#include "molecules/encoders/minimol/parameters.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "molecules/encoders/minimol/network.h"

namespace molgauge::encoders::minimol {
namespace {

constexpr std::size_t kProblemsShown = 8;

io::TensorData* find(io::TensorMap& tensors, const std::string& name) {
  for (const std::string& spelling : {name, "model." + name}) {
    if (const auto found = tensors.find(spelling); found != tensors.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

bool is_real(io::DataType type) {
  return type == io::DataType::float16 || type == io::DataType::bfloat16 || type == io::DataType::float32;
}

/// Describes the problem of the tensor. Returns an empty text if there is none.
std::string problem_of(const io::TensorData* tensor, const std::vector<std::int64_t>& shape) {
  if (tensor == nullptr) {
    return "is missing";
  }
  if (tensor->shape != shape) {
    return fmt::format("has shape [{}] instead of [{}]", fmt::join(tensor->shape, ", "),
                       fmt::join(shape, ", "));
  }
  if (!is_real(tensor->type)) {
    return fmt::format("is {} instead of float16, bfloat16 or float32", io::to_string(tensor->type));
  }
  return "";
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::vector<std::string> problems) {
  const std::size_t count = problems.size();
  const std::size_t shown = std::min(count, kProblemsShown);
  problems.resize(shown);
  throw InputError(
      fmt::format("{}: these are not the weights of MiniMol v1 ({} of the tensors do not fit): {}{}. Install "
                  "them again with `molgauge weights install minimol`",
                  file.string(), count, fmt::join(problems, "; "),
                  shown < count ? fmt::format(", and {} more", count - shown) : ""));
}

}  // namespace

std::map<std::string, std::vector<std::int64_t>> parameter_shapes() {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  const auto note_shape = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    shapes.emplace(name, shape);
    return ops::Floats();
  };
  // The constructor asks for each tensor by its name.
  const Network<ops::Operators> network(note_shape);
  return shapes;
}

io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file) {
  io::TensorMap selected;
  std::vector<std::string> problems;
  for (const auto& [name, shape] : parameter_shapes()) {
    io::TensorData* const tensor = find(tensors, name);
    if (const std::string problem = problem_of(tensor, shape); !problem.empty()) {
      problems.push_back(name + " " + problem);
    } else {
      selected.emplace(name, std::move(*tensor));
    }
  }
  if (!problems.empty()) {
    refuse(file, std::move(problems));
  }
  return selected;
}

ops::Floats to_floats(const io::TensorData& tensor) {
  const std::vector<float> numbers = tensor.to_float32();
  ops::Floats floats(tensor.shape);
  std::copy(numbers.begin(), numbers.end(), floats.data());
  return floats;
}

}  // namespace molgauge::encoders::minimol
