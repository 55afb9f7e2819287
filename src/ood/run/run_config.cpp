#include "ood/run/run_config.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/checked_json.h"
#include "core/error.h"
#include "core/folder_checksums.h"
#include "core/hash.h"
#include "core/json_reader.h"
#include "core/json_text.h"
#include "core/option_range.h"

namespace headroom::ood {
namespace {

using nlohmann::json;

constexpr const char* kFile = "config.json";

/// Calls visit(name, value) for every option that config.json holds, so that it is written and read by one
/// list.
template <typename Config, typename Visit>
void for_each_option(Config& config, Visit visit) {
  auto& request = config.request;
  visit("data_file", request.benchmark);
  visit("benchmark_checksum", config.benchmark_checksum);
  visit("splits_cache_file", request.splits_cache);
  visit("ood_file", request.ood);
  visit("molecules_file", config.molecules_file);
  visit("smiles_column", request.smiles_column);
  visit("ood_smiles_column", request.ood_smiles_column);
  visit("ood_similarity", request.ood_similarity);
  visit("near_duplicates_removed", config.near_duplicates_removed);
  visit("foundation_model", request.encoder);
  visit("features", request.features);
  visit("encoder_identity", config.encoder_identity);
  visit("feature_width", config.feature_width);
  visit("loss_type", request.loss);
  visit("dpo_beta", request.dpo_beta);
  visit("hinge_margin", request.hinge_margin);
  visit("hinge_topk", request.hinge_topk);
  visit("hinge_squared", request.hinge_squared);
  visit("lambda_reg", request.lambda_reg);
  visit("hidden_dim", request.hidden_dim);
  visit("dropout", request.dropout);
  visit("epochs", request.epochs);
  visit("batch_size", request.batch_size);
  visit("eval_batch_size", request.eval_batch_size);
  visit("lr", request.learning_rate);
  visit("weight_decay", request.weight_decay);
  visit("grad_clip", request.grad_clip);
  visit("eval_steps", request.eval_steps);
  visit("early_stopping_patience", request.patience);
  visit("early_stopping", request.early_stopping);
  visit("seed", request.seed);
  visit("data_seed", request.data_seed);
  visit("dataset_type", request.dataset_type);
  visit("debug_dataset_size", request.debug_dataset_size);
  visit("held_out_seed", request.held_out_seed);
  visit("allow_overlap", request.allow_overlap);
  visit("shared_molecules", config.shared_molecules);
  visit("train_size", request.train_size);
  visit("val_size", request.val_size);
  visit("test_size", request.test_size);
  visit("gradient_accumulation", request.gradient_accumulation);
  visit("checkpoint_activations", request.checkpoint_activations);
  visit("autocast", request.autocast);
  visit("optimizer_state", request.optimizer_state);
  visit("strict", request.strict);
  visit("precision", request.compute.precision);
}

/// Options that are younger than the first runs; a run without them had the defaults.
bool may_be_missing(std::string_view name) {
  constexpr std::array<std::string_view, 19> kYounger = {"features",
                                                         "benchmark_checksum",
                                                         "splits_cache_file",
                                                         "ood_file",
                                                         "molecules_file",
                                                         "smiles_column",
                                                         "ood_smiles_column",
                                                         "ood_similarity",
                                                         "near_duplicates_removed",
                                                         "dataset_type",
                                                         "debug_dataset_size",
                                                         "held_out_seed",
                                                         "allow_overlap",
                                                         "shared_molecules",
                                                         "gradient_accumulation",
                                                         "checkpoint_activations",
                                                         "autocast",
                                                         "optimizer_state",
                                                         "precision"};
  return std::ranges::find(kYounger, name) != kYounger.end();
}

void put(json& options, const char* name, const auto& value) { options[name] = value; }
void put(json& options, const char* name, const std::optional<std::size_t>& value) {
  options[name] = value ? json(*value) : json();
}

void get(const json& option, auto& value) { get_checked(option, value); }
void get(const json& option, std::optional<std::size_t>& value) {
  value = option.is_null() ? std::nullopt : std::optional(checked<std::size_t>(option));
}

void refuse_without_effect(bool changed, const char* option, const char* loss) {
  if (changed) {
    throw UsageError(std::string(option) + " has no effect unless the loss is " + loss);
  }
}

void require_ranges(const TrainRequest& request) {
  require_in_range("hidden-dim", request.hidden_dim);
  require_in_range("dropout", request.dropout);
  require_in_range("epochs", request.epochs);
  require_in_range("batch-size", request.batch_size);
  require_in_range("eval-batch-size", request.eval_batch_size);
  require_in_range("lr", request.learning_rate);
  require_in_range("weight-decay", request.weight_decay);
  require_in_range("grad-clip", request.grad_clip);
  require_in_range("eval-steps", request.eval_steps);
  require_in_range("patience", request.patience);
  require_in_range("ood-similarity", request.ood_similarity);
  require_in_range("dpo-beta", request.dpo_beta);
  require_in_range("hinge-margin", request.hinge_margin);
  require_in_range("hinge-topk", request.hinge_topk);
  require_in_range("lambda-reg", request.lambda_reg);
}

/// A folder of 'headroom baseline' has a config.json as well.
bool is_of_baselines(const json& options) {
  return options.is_object() && options.contains("hidden_channels") && !options.contains("loss_type");
}

void refuse_baselines(const json& options, const std::filesystem::path& run) {
  if (is_of_baselines(options)) {
    throw InputError(
        run.string() +
        ": holds classifiers and scores of 'headroom baseline', and no energy head; train one with "
        "'headroom train', look at these with 'headroom report', or apply them with 'headroom score'");
  }
}

}  // namespace

TrainingOptions training_options(const TrainRequest& request) {
  require_ranges(request);
  const TrainRequest defaults;
  TrainingOptions options;
  options.loss = {parse_loss(request.loss), request.dpo_beta,      request.hinge_margin,
                  request.hinge_topk,       request.hinge_squared, request.lambda_reg};
  const bool hinge = options.loss.kind == LossKind::hinge;
  refuse_without_effect(options.loss.kind != LossKind::dpo && request.dpo_beta != defaults.dpo_beta,
                        "dpo-beta", "dpo");
  refuse_without_effect(!hinge && request.hinge_margin != defaults.hinge_margin, "hinge-margin", "hinge");
  refuse_without_effect(!hinge && request.hinge_topk != defaults.hinge_topk, "hinge-topk", "hinge");
  refuse_without_effect(!hinge && request.hinge_squared, "hinge-squared", "hinge");
  options.hidden_dim = request.hidden_dim;
  options.dropout = request.dropout;
  options.epochs = request.epochs;
  options.batch_size = request.batch_size;
  options.eval_batch_size = request.eval_batch_size;
  options.learning_rate = request.learning_rate;
  options.weight_decay = request.weight_decay;
  options.grad_clip = request.grad_clip;
  options.eval_steps = request.eval_steps;
  options.patience = request.patience;
  options.early_stopping = train::parse_early_stopping(request.early_stopping);
  options.frugality = train::parse_frugality(request);
  options.seed = request.seed;
  options.resume = request.resume;
  options.quiet = request.compute.quiet;
  validate(options);
  return options;
}

std::string checksum_of_file(const std::filesystem::path& file) {
  const std::string content = read_file(file);
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(content))));
}

void write_run_config(const std::filesystem::path& run, const RunConfig& config) {
  json options = json::object();
  for_each_option(config, [&](const char* name, const auto& value) { put(options, name, value); });
  replace_file(run / kFile, json_text(options));
}

bool is_baseline_folder(const std::filesystem::path& run) {
  const std::filesystem::path path = run / kFile;
  if (!std::filesystem::is_regular_file(path)) {
    return false;
  }
  require_intact(path, "begin anew with --restart, or in another folder");
  return is_of_baselines(parse_json_or_nothing(read_file(path)));
}

std::filesystem::path own_benchmark_file(const std::filesystem::path& run) { return run / "benchmark.json"; }

void remove_run_config(const std::filesystem::path& run) { std::filesystem::remove(run / kFile); }

RunConfig read_run_config(const std::filesystem::path& run) {
  const std::filesystem::path path = run / kFile;
  if (!std::filesystem::is_regular_file(path) && std::filesystem::is_directory(run / "checkpoints")) {
    throw InputError(run.string() +
                     ": this training has not ended; the same 'headroom train' takes it up again");
  }
  if (!std::filesystem::is_regular_file(path) && std::filesystem::is_regular_file(run / "seeds.json")) {
    throw InputError(run.string() +
                     ": holds runs of several seeds, which 'headroom score' takes together; name one of the "
                     "folders seed_N in it");
  }
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(run.string() + ": not a run folder (" + kFile +
                     " is missing); make one with 'headroom train'");
  }
  require_intact(path, "train again with --restart, or into another folder");
  RunConfig config;
  config.request.run = run.string();
  try {
    const json options = parse_json(read_file(path));
    refuse_baselines(options, run);
    for_each_option(config, [&](const char* name, auto& value) {
      if (options.contains(name) || !may_be_missing(name)) {
        get(options.at(name), value);
      }
    });
  } catch (const json::exception& problem) {
    throw InputError(path.string() + ": not what 'headroom train' writes (" + json_problem(problem) +
                     "); train again into another folder");
  }
  if (!config.request.ood.empty()) {
    // The run may have been moved, and its benchmark with it.
    config.request.benchmark = config.request.splits_cache = own_benchmark_file(run).string();
  }
  try {
    require_ranges(config.request);
  } catch (const UsageError& problem) {
    throw InputError(path.string() + ": not what 'headroom train' writes (" + problem.what() +
                     "); train again into another folder");
  }
  return config;
}

void require_encoder(const std::filesystem::path& run, const RunConfig& config, const std::string& encoder,
                     const std::string& identity, std::size_t feature_width) {
  if (config.request.encoder != encoder || config.encoder_identity != identity ||
      config.feature_width != feature_width) {
    throw InputError((run / kFile).string() + ": the run was trained on features of " +
                     config.request.encoder + " (" + config.encoder_identity + "), not of " + encoder + " (" +
                     identity + "); use that encoder with the same weights, or train again");
  }
}

}  // namespace headroom::ood
