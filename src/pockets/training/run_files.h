#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "molgauge/pocket_train.h"
#include "pockets/graphs/normalization.h"
#include "pockets/network.h"

/// The files that describe the run in a run folder of `molgauge pocket train`.
namespace molgauge::pocket {

inline constexpr const char* kConfigFile = "config.json";
/// The format of best_model.safetensors.
inline constexpr const char* kEncoderFormat = "molgauge pocket encoder 1";
inline constexpr const char* kSplitFile = "splits.json";

/// The content of config.json: the options under the names of the Python project, and other settings that are
/// needed to use the encoder.
struct EncoderConfig {
  PocketTrainRequest request;
  std::int64_t output = 0;
  /// Normalisation of the training graph set. Absent in files of the Python project.
  std::optional<FeatureNormalization> normalization = {};
};

void write_config(const std::filesystem::path& run, const EncoderConfig& config);

/// Reads config.json, also of a Python run. Throws InputError naming the file and the key.
EncoderConfig read_config(const std::filesystem::path& file);

}  // namespace molgauge::pocket
