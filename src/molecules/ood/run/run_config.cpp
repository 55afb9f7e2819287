#include "molecules/ood/run/run_config.h"

#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/hash.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/format_version.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/options/config_keys.h"
#include "base/options/settings.h"
#include "base/options/tables.h"

namespace molgauge::ood {
namespace {

using nlohmann::json;

constexpr const char* kConfigFile = "config.json";

/// Calls visit(key, value) for the keys of config.json, except for the options of the request.
template <typename Config, typename Visit>
void for_each_fact(Config& config, Visit visit) {
  visit("benchmark_checksum", config.benchmark_checksum);
  visit("molecules_file", config.molecules_file);
  visit("near_duplicates_removed", config.near_duplicates_removed);
  visit("benchmark_path", config.benchmark_path);
  visit("splits_cache_path", config.splits_cache_path);
  visit("encoder_identity", config.encoder_identity);
  visit("feature_width", config.feature_width);
  visit("shared_molecules", config.shared_molecules);
}

/// The first version already wrote these keys. If another key is missing, its default applies.
bool is_in_every_file(std::string_view key) { return key == "encoder_identity" || key == "feature_width"; }

std::string absolute_path(const std::string& file) {
  return file.empty() ? "" : std::filesystem::absolute(file).lexically_normal().string();
}

/// Recognises config.json of a 'molgauge baseline' run.
bool is_of_baselines(const json& options) {
  return options.is_object() && options.contains("hidden_channels") && !options.contains("loss_type");
}

void refuse_baselines(const json& options, const std::filesystem::path& run) {
  if (is_of_baselines(options)) {
    throw InputError(run.string() +
                     ": is a folder of 'molgauge baseline' without an energy head. Train one with 'molgauge "
                     "train'. To see or apply the baselines, use 'molgauge report' or 'molgauge score'");
  }
}

}  // namespace

TrainingOptions training_options(const TrainRequest& request) {
  options::require_ranges(options::view(request));
  for (const char* const deciding : {"loss", "encoder", "finetune-encoder"}) {
    options::require_effect(options::view(request), options::view(TrainRequest()), deciding);
  }
  TrainingOptions training;
  static_cast<HeadTraining&>(training) = request;
  static_cast<EncoderTuning&>(training) = request;
  static_cast<LossParameters&>(training.loss) = request;
  training.loss.kind = request.loss;
  training.early_stopping = request.early_stopping;
  training.memory_saving = train::parse_memory_saving(request);
  training.resume = request.resume;
  training.quiet = request.compute.quiet;
  validate(training);
  return training;
}

std::string checksum_of_file(const std::filesystem::path& file) {
  const std::string content = read_file(file);
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(content))));
}

void write_run_config(const std::filesystem::path& run, const RunConfig& config) {
  json content = json::object();
  options::write_config_keys(options::view(config.request), content);
  RunConfig complete = config;
  complete.benchmark_path = absolute_path(config.request.benchmark);
  complete.splits_cache_path = absolute_path(config.request.splits_cache);
  for_each_fact(complete, [&](const char* key, const auto& value) { content[key] = value; });
  replace_file(run / kConfigFile, json_text(content));
}

std::optional<std::filesystem::path> find_file_of_run(const std::filesystem::path& run,
                                                      const std::string& named, const std::string& absolute,
                                                      const std::string& checksum) {
  std::vector<std::filesystem::path> places = {named, absolute};
  if (!checksum.empty() && std::filesystem::path(named).is_relative()) {
    std::filesystem::path folder = std::filesystem::absolute(run).lexically_normal();
    for (; folder.has_relative_path(); folder = folder.parent_path()) {
      places.push_back(folder.parent_path() / named);
    }
  }
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::is_regular_file(place) &&
        (checksum.empty() || checksum_of_file(place) == checksum)) {
      return place;
    }
  }
  return std::nullopt;
}

bool is_baseline_folder(const std::filesystem::path& run) {
  const std::filesystem::path path = run / kConfigFile;
  if (!std::filesystem::is_regular_file(path)) {
    return false;
  }
  require_intact(path, "Start from scratch with --restart, or in another folder");
  return is_of_baselines(parse_json_or_nothing(read_file(path)));
}

std::filesystem::path own_benchmark_file(const std::filesystem::path& run) { return run / "benchmark.json"; }

void remove_run_config(const std::filesystem::path& run) { std::filesystem::remove(run / kConfigFile); }

RunConfig read_run_config(const std::filesystem::path& run) {
  const std::filesystem::path path = run / kConfigFile;
  if (!std::filesystem::is_regular_file(path) && std::filesystem::is_directory(run / "checkpoints")) {
    throw InputError(run.string() +
                     ": this training is not finished. Run the same 'molgauge train' to resume it");
  }
  if (!std::filesystem::is_regular_file(path) && std::filesystem::is_regular_file(run / "seeds.json")) {
    throw InputError(run.string() +
                     ": contains runs of several seeds, which only 'molgauge score' uses together. Name one "
                     "of its folders seed_N");
  }
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(run.string() + ": not a run folder (" + kConfigFile +
                     " is missing). Make one with 'molgauge train'");
  }
  require_intact(path, "Train again with --restart, or into another folder");
  RunConfig config;
  config.request.run = run.string();
  try {
    const json content = parse_json(read_file(path));
    refuse_baselines(content, run);
    require_format_version(content, path);
    options::read_config_keys(options::mutable_view(config.request), content);
    for_each_fact(config, [&](const char* key, auto& value) {
      if (content.contains(key) || is_in_every_file(key)) {
        get_checked(content.at(key), value);
      }
    });
  } catch (const json::exception& problem) {
    throw InputError(path.string() + ": not a file of 'molgauge train' (" + json_problem(problem) +
                     "). Train again into another folder");
  }
  if (!config.request.ood.empty()) {
    // The run may have been moved together with its benchmark.
    config.request.benchmark = config.request.splits_cache = own_benchmark_file(run).string();
  }
  try {
    options::require_ranges(options::view(config.request));
  } catch (const UsageError& problem) {
    throw InputError(path.string() + ": not a file of 'molgauge train' (" + problem.what() +
                     "). Train again into another folder");
  }
  return config;
}

void require_encoder(const std::filesystem::path& run, const RunConfig& config, const std::string& encoder,
                     const std::string& identity, std::size_t feature_width) {
  if (config.request.encoder != encoder || config.encoder_identity != identity ||
      config.feature_width != feature_width) {
    throw InputError((run / kConfigFile).string() + ": the run was trained on features of " +
                     config.request.encoder + " (" + config.encoder_identity + "), not of " + encoder + " (" +
                     identity + "). Use that encoder with the same weights, or train again");
  }
}

}  // namespace molgauge::ood
