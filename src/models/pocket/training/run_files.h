#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "headroom/pocket_train.h"
#include "models/pocket/graphs/normalization.h"
#include "models/pocket/network.h"

/// The files of a run folder of `headroom pocket train` that describe it.
namespace headroom::pocket {

inline constexpr const char* kConfigFile = "config.json";
inline constexpr const char* kSplitFile = "splits.json";

/// config.json: the options by the Python project's names, and what else an encoder is used with.
struct EncoderConfig {
  PocketTrainRequest request;
  std::int64_t output = 0;
  /// Of the graph set that was trained on; none in files of the Python project.
  std::optional<FeatureNormalization> normalization = {};
};

void write_config(const std::filesystem::path& run, const EncoderConfig& config);

/// Reads it, also that of a Python run. Throws InputError naming the file and the key.
EncoderConfig read_config(const std::filesystem::path& file);

}  // namespace headroom::pocket
