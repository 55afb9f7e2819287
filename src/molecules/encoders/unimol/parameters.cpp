#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "molecules/encoders/unimol/network.h"

namespace molgauge::encoders::unimol {
namespace {

constexpr std::size_t kProblemsShown = 8;

/// The shape of a matrix: rows, columns.
const std::vector<std::int64_t>& matrix_shape(const io::TensorMap& tensors, const std::string& name,
                                              const std::filesystem::path& file) {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.shape.size() != 2) {
    throw InputError(fmt::format("{}: these are not the weights of Uni-Mol's molecular encoder: no matrix {}",
                                 file.string(), name));
  }
  return found->second.shape;
}

std::int64_t count_layers(const io::TensorMap& tensors) {
  std::int64_t layers = 0;
  while (tensors.contains(fmt::format("encoder.layers.{}.fc1.weight", layers))) {
    ++layers;
  }
  return layers;
}

std::string problem_of(const io::TensorMap& tensors, const std::string& name,
                       const std::vector<std::int64_t>& shape) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    return name + " is missing";
  }
  if (found->second.shape != shape) {
    return fmt::format("{} has shape [{}] instead of [{}]", name, fmt::join(found->second.shape, ", "),
                       fmt::join(shape, ", "));
  }
  const io::DataType type = found->second.type;
  const bool is_real =
      type == io::DataType::float16 || type == io::DataType::bfloat16 || type == io::DataType::float32;
  return is_real ? ""
                 : fmt::format("{} is {} instead of float16, bfloat16 or float32", name, io::to_string(type));
}

}  // namespace

NetworkShape shape_of(const io::TensorMap& tensors, const std::filesystem::path& file) {
  const NetworkShape shape{.layers = count_layers(tensors),
                           .width = matrix_shape(tensors, "embed_tokens.weight", file)[1],
                           .hidden = matrix_shape(tensors, "encoder.layers.0.fc1.weight", file)[0],
                           .heads = matrix_shape(tensors, "gbf_proj.linear2.weight", file)[0],
                           .kernels = matrix_shape(tensors, "gbf.means.weight", file)[1]};
  if (shape.heads < 1 || shape.width < 1 || shape.hidden < 1 || shape.kernels < 1 ||
      shape.width % shape.heads != 0) {
    throw InputError(
        fmt::format("{}: {} heads do not divide a width of {}", file.string(), shape.heads, shape.width));
  }
  return shape;
}

io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file) {
  io::TensorMap selected;
  std::vector<std::string> problems;
  const auto take_tensor = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    if (std::string problem = problem_of(tensors, name, shape); !problem.empty()) {
      problems.push_back(std::move(problem));
    } else {
      selected.emplace(name, std::move(tensors.at(name)));
    }
    return ops::Floats();
  };
  // The constructor asks for each tensor by its name.
  const Network<PairOperators> network(shape_of(tensors, file), take_tensor);
  if (!problems.empty()) {
    const std::size_t count = problems.size();
    problems.resize(std::min(count, kProblemsShown));
    throw InputError(
        fmt::format("{}: these are not the weights of Uni-Mol's molecular encoder ({} of the tensors "
                    "do not fit): {}",
                    file.string(), count, fmt::join(problems, "; ")));
  }
  return selected;
}

}  // namespace molgauge::encoders::unimol
