#include "molecules/ood/run/python_run.h"

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/checkpoint_options.h"
#include "base/io/tensors/finite_numbers.h"
#include "base/options/tables.h"

namespace molgauge::ood {
namespace {

using nlohmann::json;

constexpr const char* kBestModel = "best_model.pth";

bool is_checkpoint_name(const std::filesystem::path& path) {
  return path.extension() == ".pth" || path.extension() == ".pt";
}

/// Returns best_model.pth of the folder, as the Python project does. If this file does not exist, returns the
/// newest .pth file.
std::optional<std::filesystem::path> find_model(const std::filesystem::path& folder) {
  if (std::filesystem::is_regular_file(folder / kBestModel)) {
    return folder / kBestModel;
  }
  std::optional<std::filesystem::path> newest;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".pth" &&
        (!newest || entry.last_write_time() > std::filesystem::last_write_time(*newest))) {
      newest = entry.path();
    }
  }
  return newest;
}

json options_beside(const std::filesystem::path& model) {
  const std::filesystem::path path = model.parent_path() / "config.json";
  if (!std::filesystem::is_regular_file(path)) {
    return json::object();
  }
  json options = parse_json_or_nothing(read_file(path));
  if (!options.is_object()) {
    throw InputError(path.string() + ": is not a JSON object of options. Remove it, or get it again");
  }
  return options;
}

template <typename Value>
bool is_word_of(const json& held) {
  if constexpr (Choice<Value>) {
    return held.is_string() && from_word<Value>(held.get<std::string>());
  }
  return false;
}

/// Sets `value` if the option exists. Throws InputError if the option has another type.
template <typename Value>
void take(const json& options, const char* name, Value& value) {
  const auto found = options.find(name);
  if (found == options.end() || found->is_null()) {
    return;
  }
  const bool fits = std::is_same_v<Value, std::string> ? found->is_string()
                    : std::is_same_v<Value, bool>      ? found->is_boolean()
                    : std::is_enum_v<Value>            ? is_word_of<Value>(*found)
                    : std::is_floating_point_v<Value>  ? found->is_number()
                                                       : found->is_number_integer() && *found >= 0;
  if (!fits) {
    throw InputError(std::string("its option '") + name + "' is " + found->dump());
  }
  get_checked(*found, value);
}

PythonRun describe(const json& options) {
  PythonRun run;
  TrainRequest& request = run.request;
  request.encoder.clear();
  take(options, "foundation_model", request.encoder);
  for (const char* name : {"dataset", "drugood_subset", "data_file"}) {  // a later name has priority
    take(options, name, request.benchmark);
  }
  take(options, "data_path", run.data_path);
  take(options, "loss_type", request.loss);
  take(options, "dpo_beta", request.dpo_beta);
  take(options, "hinge_margin", request.hinge_margin);
  take(options, "hinge_topk", request.hinge_topk);
  take(options, "hinge_squared", request.hinge_squared);
  take(options, "lambda_reg", request.lambda_reg);
  take(options, "hidden_dim", request.hidden_dim);
  take(options, "eval_batch_size", request.eval_batch_size);
  take(options, "seed", request.seed);
  take(options, "data_seed", request.data_seed);
  take(options, "debug_dataset_size", request.debug_dataset_size);
  take(options, "dataset_type", request.dataset_type);
  take(options, "splits_cache_file", request.splits_cache);
  const options::Option& batch = options::option_named(options::table<TrainRequest>(), "eval-batch-size");
  if (!batch.range->holds(request.eval_batch_size)) {
    throw InputError("its option 'eval_batch_size' is " + std::to_string(request.eval_batch_size) +
                     ". It takes " + batch.range->words());
  }
  bool finetuned = false;
  take(options, "finetune_encoder", finetuned);
  if (finetuned) {
    throw InputError(
        "its encoder was trained, too (--finetune_encoder). Such checkpoints are not supported. Train it "
        "with molgauge train --finetune-encoder");
  }
  return run;
}

}  // namespace

std::optional<PythonRun> find_python_run(const std::filesystem::path& path) {
  std::filesystem::path model = path;
  if (std::filesystem::is_directory(path)) {
    const auto found = find_model(path);
    if (!found || std::filesystem::exists(path / "best_model.safetensors")) {
      return std::nullopt;
    }
    model = *found;
  } else if (!is_checkpoint_name(path)) {
    return std::nullopt;
  }
  json options = options_beside(model);
  options.update(io::read_checkpoint_options(model));
  try {
    PythonRun run = describe(options);
    run.model = model;
    run.request.run = path.string();
    return run;
  } catch (const InputError& failure) {
    throw InputError(model.string() + ": " + failure.what());
  }
}

HeadWeights load_python_head(const std::filesystem::path& model) {
  const io::TensorMap tensors = io::read_checkpoint(model);
  io::require_finite(tensors, model.string(), "Get the file again, or train again");
  HeadWeights head = HeadWeights::from_tensors(tensors, model.string());
  if (tensors.size() != 2 * head.layers.size()) {
    throw InputError(model.string() + ": has " + std::to_string(tensors.size()) + " tensors, the head has " +
                     std::to_string(2 * head.layers.size()) +
                     ". Checkpoints with a trained encoder are not supported. Train it with molgauge train "
                     "--finetune-encoder");
  }
  return head;
}

}  // namespace molgauge::ood
