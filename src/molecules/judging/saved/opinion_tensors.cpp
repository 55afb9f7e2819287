#include "molecules/judging/saved/opinion_tensors.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/core/error.h"

namespace molgauge::domain {
namespace {

template <typename Number>
void add_numbers(const char* name, io::DataType type, const std::vector<Number>& numbers,
                 io::TensorMap& tensors) {
  io::TensorData tensor{type, {static_cast<std::int64_t>(numbers.size())}, {}};
  tensor.bytes.resize(numbers.size() * sizeof(Number));
  if (!numbers.empty()) {
    std::memcpy(tensor.bytes.data(), numbers.data(), tensor.bytes.size());
  }
  tensors[name] = std::move(tensor);
}

template <typename Number>
std::vector<Number> stored_numbers(const char* name, io::DataType type, const io::TensorMap& tensors) {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.type != type || found->second.shape.size() != 1) {
    throw InputError("the tensor " + std::string(name) + " is missing, or of another type or shape");
  }
  std::vector<Number> numbers(found->second.bytes.size() / sizeof(Number));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), found->second.bytes.data(), numbers.size() * sizeof(Number));
  }
  return numbers;
}

constexpr const char* kOpinionMolecules = "opinion_molecules";
constexpr const char* kOpinionFolds = "opinion_folds";
constexpr const char* kOpinionFeatures = "opinion_features";
constexpr const char* kOpinionEnvironments = "opinion_environments";
constexpr const char* kFeaturesOutOfFold = "opinion_features_out_of_fold";
constexpr const char* kEnvironmentsOutOfFold = "opinion_environments_out_of_fold";

}  // namespace

void add_opinion(const SecondOpinion& opinion, io::TensorMap& tensors) {
  const SecondOpinion::State& state = opinion.state();
  add_numbers(kOpinionMolecules, io::DataType::int64, state.molecules, tensors);
  add_numbers(kOpinionFolds, io::DataType::uint8, state.folds, tensors);
  add_numbers(kOpinionFeatures, io::DataType::float64, state.by_features, tensors);
  add_numbers(kOpinionEnvironments, io::DataType::float64, state.by_environments, tensors);
  add_numbers(kFeaturesOutOfFold, io::DataType::float64, state.features_out_of_fold, tensors);
  add_numbers(kEnvironmentsOutOfFold, io::DataType::float64, state.environments_out_of_fold, tensors);
}

std::shared_ptr<const SecondOpinion> opinion_from(const io::TensorMap& tensors,
                                                  const SecondOpinion::Training& training) {
  if (!tensors.contains(kOpinionMolecules)) {
    return nullptr;
  }
  const auto doubles = [&](const char* name) {
    return stored_numbers<double>(name, io::DataType::float64, tensors);
  };
  return std::make_shared<const SecondOpinion>(
      training,
      SecondOpinion::State{stored_numbers<std::int64_t>(kOpinionMolecules, io::DataType::int64, tensors),
                           stored_numbers<std::uint8_t>(kOpinionFolds, io::DataType::uint8, tensors),
                           doubles(kOpinionFeatures), doubles(kOpinionEnvironments),
                           doubles(kFeaturesOutOfFold), doubles(kEnvironmentsOutOfFold)});
}

}  // namespace molgauge::domain
