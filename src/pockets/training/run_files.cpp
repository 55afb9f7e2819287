#include "pockets/training/run_files.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/format_version.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/options/config_keys.h"
#include "base/options/tables.h"

namespace molgauge::pocket {
namespace {

using nlohmann::json;

constexpr const char* kOutput = "output_dim";
constexpr const char* kNormalization = "feature_normalization";

FeatureNormalization normalization_in(const json& content) {
  FeatureNormalization normalization;
  for (std::size_t i = 0; i < normalization.mean.size(); ++i) {
    normalization.mean.at(i) = checked<double>(content.at("mean").at(i));
    normalization.deviation.at(i) = checked<double>(content.at("std").at(i));
    if (!std::isfinite(normalization.mean.at(i)) || !(normalization.deviation.at(i) > 0)) {
      throw json::type_error::create(302, "feature_normalization cannot be", &content);
    }
  }
  return normalization;
}

}  // namespace

void write_config(const std::filesystem::path& run, const EncoderConfig& config) {
  nlohmann::ordered_json content;
  options::write_config_keys(options::view(config.request), content);
  content[kOutput] = config.output;
  if (config.normalization) {
    content[kNormalization] = {{"mean", config.normalization->mean},
                               {"std", config.normalization->deviation}};
  }
  replace_file(run / kConfigFile, json_text(content));
}

EncoderConfig read_config(const std::filesystem::path& file) {
  require_intact(file, "Train again with --restart");
  const json content = parse_json_or_nothing(read_file(file));
  if (!content.is_object()) {
    throw InputError(file.string() + ": is not a JSON configuration");
  }
  require_format_version(content, file);
  EncoderConfig config;
  try {
    json own = content;
    // In configurations of the Python project, the number of attention heads of a V3 model overrides the
    // pooling. Pooling by heads can also have another name.
    if (own.value("use_v3_model", false) && own.value("num_attention_heads", 4) > 1) {
      own["pooling_type"] = nullptr;
    } else if (own.value("pooling_type", json()) == "multihead_attention") {
      own["pooling_type"] = to_string(Pooling::heads);
    }
    options::read_config_keys(options::mutable_view(config.request), own);
    config.output = checked<std::int64_t>(content.at(kOutput));
    if (content.contains(kNormalization)) {
      config.normalization = normalization_in(content.at(kNormalization));
    }
  } catch (const json::exception& problem) {
    throw InputError(file.string() + ": not the configuration of a pocket encoder (" + json_problem(problem) +
                     ")");
  }
  return config;
}

}  // namespace molgauge::pocket
