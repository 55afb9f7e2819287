#include "molecules/baselines/run/stored_detector.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/baselines/run/baseline_run.h"

namespace molgauge::baselines {
namespace {

constexpr const char* kDetectorFormat = "molgauge baseline detector 1";
constexpr const char* kDetectorRemedy = "Start from scratch with 'molgauge baseline --restart'";
/// The metadata key that marks detectors that read only the trained outputs.
constexpr const char* kHeldOut = "held_out_id_scores";

constexpr std::array<std::pair<const char*, LabelKind>, 3> kKinds = {
    {{"classes", LabelKind::classes}, {"tasks", LabelKind::tasks}, {"continuous", LabelKind::continuous}}};

const char* to_string(LabelKind kind) {
  for (const auto& [name, own] : kKinds) {
    if (own == kind) {
      return name;
    }
  }
  return "";
}

/// The value of a name in the metadata, or empty if it is missing.
std::string described(const io::SafetensorsFile& file, const std::string& name) {
  const auto found = file.metadata.find(name);
  return found == file.metadata.end() ? "" : found->second;
}

LabelKind kind_of(const io::SafetensorsFile& file, const std::string& path) {
  const std::string text = described(file, "labels");
  for (const auto& [name, kind] : kKinds) {
    if (text == name) {
      return kind;
    }
  }
  throw InputError(path + ": does not say which labels its classifier learned");
}

/// Returns the width of the features of a method without a classifier, from the last dimension of a tensor.
std::int64_t feature_width(const io::SafetensorsFile& file, const std::string& method,
                           const std::string& path) {
  const auto found = file.tensors.find(method == "raw_mahalanobis" ? "means"
                                       : method == "raw_knn"       ? "centre"
                                                                   : "weights");
  if (found == file.tensors.end() || found->second.shape.empty()) {
    throw InputError(path + ": does not contain the width of its features");
  }
  return found->second.shape.back();
}

StoredDetector read_without_classifier(const io::SafetensorsFile& file, const std::string& path,
                                       const std::string& method, const MethodOptions& options) {
  StoredDetector result{make_detector(method, options), feature_width(file, method, path),
                        take_list(file.tensors, kHeldOut, path)};
  result.detector->restore(file.tensors, result.feature_width, path);
  return result;
}

StoredDetector read(const std::filesystem::path& folder, const std::string& method,
                    const MethodOptions& options) {
  const std::string path = detector_file(folder, method).string();
  io::SafetensorsFile file = io::read_safetensors(path);
  if (described(file, "format") != kDetectorFormat || described(file, "method") != method) {
    throw InputError(path + ": not a file of 'molgauge baseline'");
  }
  const auto objective = objective_of(method);
  if (!objective) {
    return read_without_classifier(file, path, method, options);
  }
  auto stored = read_classifier(folder, *objective);
  if (!stored) {
    throw InputError(folder.string() + ": the classifier that " + method + " reads is missing");
  }
  const TrainedClassifier model{std::make_shared<Classifier>(std::move(stored->classifier)),
                                kind_of(file, path)};
  const ClassifierShape shape = model.classifier->shape();
  StoredDetector result{make_detector(method, model, options), shape.inputs,
                        take_list(file.tensors, kHeldOut, path)};
  result.detector->restore(file.tensors, shape.hidden, path);
  return result;
}

}  // namespace

std::filesystem::path detector_file(const std::filesystem::path& folder, const std::string& method) {
  return folder / (method + "_detector.safetensors");
}

void write_detector(const std::filesystem::path& folder, const std::string& method, const Detector& detector,
                    LabelKind kind, const std::vector<float>& held_out) {
  io::TensorMap tensors = detector.fitted();
  tensors[kHeldOut] = list_to_file(held_out);
  io::write_safetensors(detector_file(folder, method), tensors,
                        {{"format", kDetectorFormat}, {"method", method}, {"labels", to_string(kind)}});
}

StoredDetector read_detector(const std::filesystem::path& folder, const std::string& method,
                             const MethodOptions& options) {
  const std::filesystem::path path = detector_file(folder, method);
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(
        path.string() +
        ": missing. "
        "Compute the method again with 'molgauge baseline --restart'. In a matrix, remove this folder "
        "and run 'molgauge experiment' again");
  }
  require_intact(path, kDetectorRemedy);
  try {
    return read(folder, method, options);
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + ". " + kDetectorRemedy);
  }
}

}  // namespace molgauge::baselines
