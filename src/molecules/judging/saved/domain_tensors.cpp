#include "molecules/judging/saved/domain_tensors.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/saved/ranges.h"

namespace molgauge::domain {
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

template <typename Number>
io::TensorData list_of(io::DataType type, std::span<const Number> numbers) {
  return tensor_of(type, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

io::TensorData floats(std::span<const float> numbers) { return list_of(io::DataType::float32, numbers); }

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
  std::vector<float> numbers = numbers_of<float>(tensor(tensors, name, io::DataType::float32, 1));
  require_magnitudes<float>(numbers, kLargestFeature, name);
  return numbers;
}

/// Reads scores in ascending order.
std::vector<float> scores_of(const io::TensorMap& tensors, const char* name) {
  std::vector<float> scores = floats_of(tensors, name);
  if (!std::is_sorted(scores.begin(), scores.end())) {
    throw InputError("the tensor " + std::string(name) + " is not in ascending order");
  }
  return scores;
}

/// Reads the environments of a molecule from pairs (identifier, count).
std::vector<Environment> environments_of(std::span<const std::int32_t> pairs) {
  constexpr double kLargestNumber = 1e6;  // occurrences of an environment in a molecule
  std::vector<Environment> own;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    own.push_back(
        {static_cast<std::uint32_t>(pairs[i]),
         static_cast<std::uint32_t>(in_range(pairs[i + 1], 1, kLargestNumber, "a count in environments"))});
    if (own.size() > 1 && own.back().identifier <= own[own.size() - 2].identifier) {
      throw InputError("the environments of a molecule are not in ascending order");
    }
  }
  return own;
}

Molecules molecules_from(const io::TensorMap& tensors) {
  const io::TensorData& features = tensor(tensors, "features", io::DataType::float32, 2);
  Molecules molecules;
  molecules.width = static_cast<std::size_t>(features.shape[1]);
  molecules.features = numbers_of<float>(features);
  require_magnitudes<float>(molecules.features, kLargestFeature, "a feature");
  const io::TensorData& environments = tensor(tensors, "environments", io::DataType::int32, 2);
  if (environments.shape[1] != 2) {
    throw InputError("the tensor environments is missing, or of another type or shape");
  }
  const auto flat = numbers_of<std::int32_t>(environments);
  const auto ends = numbers_of<std::int64_t>(tensor(tensors, "environment_ends", io::DataType::int64, 1));
  std::size_t at = 0;
  for (const std::int64_t end : ends) {
    if (end < static_cast<std::int64_t>(at) || end > environments.shape[0]) {
      throw InputError("the tensor environment_ends does not fit environments");
    }
    const auto count = static_cast<std::size_t>(end) - at;
    molecules.environments.append(
        std::span<const Environment>(environments_of(std::span(flat).subspan(2 * at, 2 * count))));
    at += count;
  }
  if (2 * at != flat.size()) {
    throw InputError("the tensor environment_ends does not fit environments");
  }
  const auto numbers = numbers_of<float>(tensor(tensors, "properties", io::DataType::float32, 2));
  const auto elements = numbers_of<std::uint8_t>(tensor(tensors, "elements", io::DataType::uint8, 2));
  if (numbers.size() != ends.size() * MoleculeProperties::kNumbers ||
      elements.size() != ends.size() * MoleculeProperties::kElements) {
    throw InputError("the tensors properties and elements do not fit features");
  }
  require_magnitudes<float>(numbers, kLargestFeature, "a number in properties");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    MoleculeProperties& read = molecules.properties.emplace_back();
    std::copy_n(&numbers[i * read.numbers.size()], read.numbers.size(), read.numbers.begin());
    for (std::size_t j = 0; j < MoleculeProperties::kElements; ++j) {
      read.elements[j] = elements[i * MoleculeProperties::kElements + j] != 0;
    }
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

constexpr const char* kOpinionMolecules = "opinion_molecules";
constexpr const char* kOpinionFolds = "opinion_folds";
constexpr const char* kOpinionFeatures = "opinion_features";
constexpr const char* kOpinionEnvironments = "opinion_environments";
constexpr const char* kFeaturesOutOfFold = "opinion_features_out_of_fold";
constexpr const char* kEnvironmentsOutOfFold = "opinion_environments_out_of_fold";

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
  std::vector<float> numbers;
  std::vector<std::uint8_t> elements;
  for (const MoleculeProperties& own : training.properties) {
    numbers.insert(numbers.end(), own.numbers.begin(), own.numbers.end());
    for (std::size_t j = 0; j < MoleculeProperties::kElements; ++j) {
      elements.push_back(own.elements[j] ? 1 : 0);
    }
  }
  const auto count = static_cast<std::int64_t>(training.size());
  io::TensorMap tensors;
  tensors["features"] = io::TensorData::from_float32({count, static_cast<std::int64_t>(training.width)},
                                                     training.features.data());
  tensors["environments"] = tensor_of<std::int32_t>(
      io::DataType::int32, {static_cast<std::int64_t>(environments.size() / 2), 2}, environments);
  tensors["environment_ends"] = tensor_of<std::int64_t>(io::DataType::int64, {count}, ends);
  tensors["properties"] = tensor_of<float>(
      io::DataType::float32, {count, static_cast<std::int64_t>(MoleculeProperties::kNumbers)}, numbers);
  tensors["elements"] = tensor_of<std::uint8_t>(
      io::DataType::uint8, {count, static_cast<std::int64_t>(MoleculeProperties::kElements)}, elements);
  tensors["calibration_left_out"] = floats(domain.calibration().left_out);
  tensors["calibration_scaffold"] = floats(domain.calibration().scaffold);
  tensors["calibration_range"] = floats(domain.calibration().range);
  const Reference::Scales& scales = domain.reference().scales();
  tensors["scale_nearest"] = floats(scales.nearest.scores());
  tensors["scale_rarity"] = floats(scales.rarity.scores());
  tensors["scale_coverage"] = floats(scales.coverage.scores());
  tensors["scale_mahalanobis"] = floats(scales.mahalanobis.scores());
  tensors["scale_density"] = floats(scales.density.scores());
  if (!values.empty()) {
    tensors["values"] = tensor_of<double>(io::DataType::float64, {count}, values);
  }
  return tensors;
}

DomainTensors domain_tensors_from(const io::TensorMap& tensors) {
  DomainTensors read;
  read.training = molecules_from(tensors);
  read.calibration.left_out = scores_of(tensors, "calibration_left_out");
  read.calibration.scaffold = scores_of(tensors, "calibration_scaffold");
  read.calibration.range = scores_of(tensors, "calibration_range");
  const std::size_t left_out = read.calibration.left_out.size();
  if (left_out < kMinTraining || left_out != std::min(read.training.size(), kMaxLeftOut) ||
      read.calibration.range.size() != left_out || read.calibration.scaffold.size() > left_out) {
    throw InputError("the number of molecules is not the same in all tensors");
  }
  if (tensors.contains("values")) {
    read.values = numbers_of<double>(tensor(tensors, "values", io::DataType::float64, 1));
    if (read.values.size() != read.training.size()) {
      throw InputError("the tensor values has another number of molecules than features");
    }
    for (const double value : read.values) {
      in_range_or_nan(value, -kLargestLabel, kLargestLabel, "a number in values");
    }
  }
  read.scales = {tail_of(tensors, "scale_nearest"),  tail_of(tensors, "scale_rarity"),
                 tail_of(tensors, "scale_coverage"), tail_of(tensors, "scale_mahalanobis"),
                 tail_of(tensors, "scale_density"),  0};
  return read;
}

void add_opinion(const SecondOpinion& opinion, io::TensorMap& tensors) {
  const SecondOpinion::State& state = opinion.state();
  tensors[kOpinionMolecules] = list_of<std::int64_t>(io::DataType::int64, state.molecules);
  tensors[kOpinionFolds] = list_of<std::uint8_t>(io::DataType::uint8, state.folds);
  tensors[kOpinionFeatures] = list_of<double>(io::DataType::float64, state.by_features);
  tensors[kOpinionEnvironments] = list_of<double>(io::DataType::float64, state.by_environments);
  tensors[kFeaturesOutOfFold] = list_of<double>(io::DataType::float64, state.features_out_of_fold);
  tensors[kEnvironmentsOutOfFold] = list_of<double>(io::DataType::float64, state.environments_out_of_fold);
}

std::shared_ptr<const SecondOpinion> opinion_from(const io::TensorMap& tensors,
                                                  const SecondOpinion::Training& training) {
  if (!tensors.contains(kOpinionMolecules)) {
    return nullptr;
  }
  const auto doubles = [&](const char* name) {
    return numbers_of<double>(tensor(tensors, name, io::DataType::float64, 1));
  };
  return std::make_shared<const SecondOpinion>(
      training, SecondOpinion::State{
                    numbers_of<std::int64_t>(tensor(tensors, kOpinionMolecules, io::DataType::int64, 1)),
                    numbers_of<std::uint8_t>(tensor(tensors, kOpinionFolds, io::DataType::uint8, 1)),
                    doubles(kOpinionFeatures), doubles(kOpinionEnvironments), doubles(kFeaturesOutOfFold),
                    doubles(kEnvironmentsOutOfFold)});
}

}  // namespace molgauge::domain
