#include "molecules/ood/run/validation_scores.h"

#include <charconv>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/finite_numbers.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/run_config.h"

namespace molgauge::ood {
namespace {

constexpr const char* kScoresFile = "validation_scores.safetensors";
constexpr const char* kFormat = "molgauge validation scores 1";
constexpr const char* kScoresRemedy = "Train again with --restart";
constexpr const char* kCalibration =
    "Platt: resembles_training_ood = 1 / (1 + exp(-(slope * score + intercept))), fitted to id_scores and "
    "ood_scores";

io::TensorData to_tensor(const std::vector<float>& scores) {
  return io::TensorData::from_float32({static_cast<std::int64_t>(scores.size())}, scores.data());
}

double number(const io::SafetensorsFile& file, const std::string& name, const std::string& path) {
  const auto found = file.metadata.find(name);
  double value = 0;
  if (found != file.metadata.end()) {
    const std::string& text = found->second;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size()) {
      return value;
    }
  }
  throw InputError(fmt::format("{}: its metadata have no number {}. {}", path, name, kScoresRemedy));
}

std::vector<float> scores(const io::SafetensorsFile& file, const std::string& name, const std::string& path) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end() || found->second.shape.size() != 1 || found->second.element_count() == 0) {
    throw InputError(fmt::format("{}: has no list {}. {}", path, name, kScoresRemedy));
  }
  return found->second.to_float32();
}

}  // namespace

ValidationScores calibrate(std::vector<float> id, std::vector<float> ood) {
  const PlattScaling platt = fit_platt(id, ood);
  return {std::move(id), std::move(ood), platt};
}

void write_validation_scores(const std::filesystem::path& run, const ValidationScores& scores,
                             const std::string& model) {
  io::write_safetensors(run / kScoresFile,
                        {{"id_scores", to_tensor(scores.id)}, {"ood_scores", to_tensor(scores.ood)}},
                        {{"format", kFormat},
                         {"calibration", kCalibration},
                         {"slope", fmt::format("{}", scores.platt.slope)},
                         {"intercept", fmt::format("{}", scores.platt.intercept)},
                         {"model", model}});
}

void remove_validation_scores(const std::filesystem::path& run) {
  std::filesystem::remove(run / kScoresFile);
}

FoundValidationScores find_validation_scores(const std::filesystem::path& run, const std::string& model) {
  const std::filesystem::path path = run / kScoresFile;
  if (!std::filesystem::is_regular_file(path)) {
    return {.scores = std::nullopt,
            .why_none = "the run folder has no scores of held-out molecules. Train again to get them"};
  }
  require_intact(path, kScoresRemedy);
  const io::SafetensorsFile file = io::read_safetensors(path);
  const auto format = file.metadata.find("format"), of_model = file.metadata.find("model");
  if (format == file.metadata.end() || format->second != kFormat || of_model == file.metadata.end()) {
    throw InputError(fmt::format("{}: not a file of 'molgauge train'. {}", path.string(), kScoresRemedy));
  }
  if (of_model->second != model) {
    return {.scores = std::nullopt,
            .why_none =
                "its training continued after the scores of held-out molecules were written, and is not "
                "finished. Run the same 'molgauge train' to resume it"};
  }
  io::require_finite(file.tensors, path.string(), kScoresRemedy);
  return {.scores = ValidationScores{scores(file, "id_scores", path.string()),
                                     scores(file, "ood_scores", path.string()),
                                     {number(file, "slope", path.string()),
                                      number(file, "intercept", path.string())}},
          .why_none = ""};
}

std::string identity_of_best_model(const std::filesystem::path& run) {
  const std::filesystem::path file = run / "best_model.safetensors";
  std::string identity = checksum_of_file(file);
  require_intact(file, kScoresRemedy);  // it may have changed since it was loaded
  return identity;
}

}  // namespace molgauge::ood
