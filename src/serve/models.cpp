#include "serve/models.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_reader.h"
#include "headroom/error.h"

namespace headroom::serve {
namespace {

/// Returns the encoder in config.json of a run folder, or an empty text if config.json names none.
std::string encoder_of_run(const std::filesystem::path& folder) {
  const auto config = folder / "config.json";
  if (!std::filesystem::is_regular_file(config)) {
    return "";
  }
  const auto json = parse_json_or_nothing(read_file(config));
  return json.is_object() && json.contains("foundation_model") && json["foundation_model"].is_string()
             ? json["foundation_model"].get<std::string>()
             : "";
}

Model open_domain(Engine& engine, const ServeRequest& request, const std::string& folder) {
  DomainRequest domain;
  domain.training = folder;
  domain.store = request.store;
  domain.weights = request.weights;
  domain.compute = request.compute;
  const std::vector<std::string> methane{"C"};
  const JudgedList list = engine.judge_molecules(domain, methane);
  return {.folder = folder,
          .kind = Model::Kind::domain,
          .encoder = list.encoder,
          .training_molecules = list.training_molecules,
          .calibration = list.calibration};
}

constexpr const char* kInstalledModels = "admet-ai";

/// Whether `model` is a .pt or .ckpt file, the name of installed models, or a folder of .pt files that is
/// neither a saved domain nor a run folder.
bool is_chemprop(Engine& engine, const ServeRequest& request, const std::filesystem::path& model) {
  if (model == kInstalledModels) {
    WeightsRequest weights;
    weights.weights = request.weights;
    const std::vector<WeightsInfo> installed = engine.run(weights);
    return std::any_of(installed.begin(), installed.end(),
                       [&](const WeightsInfo& one) { return one.encoder == model.string(); });
  }
  if (!std::filesystem::is_directory(model)) {
    return model.extension() == ".pt" || model.extension() == ".ckpt";
  }
  if (std::filesystem::exists(model / "domain-manifest.json") ||
      std::filesystem::exists(model / "config.json")) {
    return false;
  }
  const std::filesystem::recursive_directory_iterator entries(model);
  return std::any_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.is_regular_file() && entry.path().extension() == ".pt";
  });
}

Model open_chemprop(Engine& engine, const ServeRequest& request, const std::string& model) {
  PredictRequest predict;
  predict.model = model;
  predict.store = request.store;
  predict.weights = request.weights;
  predict.compute = on_cpu(request.compute);
  PredictedList list;
  try {
    list = engine.predict(predict, {.smiles = {"C"}});
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: cannot be served. {}", model, problem.what()));
  }
  return {.folder = model,
          .kind = Model::Kind::chemprop,
          .encoder = "chemprop",
          .tasks = std::move(list.report.tasks)};
}

Model open_run(Engine& engine, const ServeRequest& request, const std::string& folder,
               const std::string& scratch) {
  ScoreRequest score;
  score.run = folder;
  score.molecules = (std::filesystem::path(scratch) / "methane.smi").string();
  replace_file(score.molecules, "C\n");
  score.store = request.store;
  score.weights = request.weights;
  score.compute = request.compute;
  const ScoreReport report = engine.run(score);
  return {.folder = folder,
          .kind = report.score_name == "energy_score" ? Model::Kind::energy_head : Model::Kind::baseline,
          .encoder = encoder_of_run(folder),
          .score_name = report.score_name,
          .threshold = report.threshold};
}

}  // namespace

ComputeOptions on_cpu(ComputeOptions compute) {
  if (!compute.host_memory_budget.empty()) {  // the budget of the process if a GPU is used
    compute.memory_budget = std::exchange(compute.host_memory_budget, "");
  }
  compute.device = "cpu";
  return compute;
}

std::string to_string(Model::Kind kind) {
  return kind == Model::Kind::domain        ? "domain"
         : kind == Model::Kind::chemprop    ? "chemprop"
         : kind == Model::Kind::energy_head ? "energy-head"
                                            : "baseline";
}

Models::Models(Engine& engine, const ServeRequest& request, const std::string& scratch)
    : encoders_(engine.run(ListEncodersRequest{})) {
  for (const std::string& given : request.models) {
    std::filesystem::path folder = std::filesystem::path(given).lexically_normal();
    if (folder == kInstalledModels && given != kInstalledModels) {
      folder = std::filesystem::path(".") / folder;  // a folder, and not the installed models
    }
    const bool predicts = is_chemprop(engine, request, folder);
    if (!predicts && !std::filesystem::is_directory(folder)) {
      throw InputError(
          given +
          ": is not a folder. Give --model a folder of headroom domain --save, train or baseline, "
          "a chemprop model (.pt, .ckpt or a folder of .pt files), or admet-ai");
    }
    Model model = predicts ? open_chemprop(engine, request, folder.string())
                  : std::filesystem::exists(folder / "domain-manifest.json")
                      ? open_domain(engine, request, folder.string())
                      : open_run(engine, request, folder.string(), scratch);
    const std::string name = (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
    model.name = name;
    for (int number = 2; std::any_of(models_.begin(), models_.end(),
                                     [&](const Model& other) { return other.name == model.name; });
         ++number) {
      model.name = fmt::format("{}-{}", name, number);
    }
    models_.push_back(std::move(model));
  }
}

std::string Models::encoder_named(const std::string& name) const {
  std::string names;
  for (const EncoderInfo& encoder : encoders_) {
    if (name.empty() || encoder.name == name) {
      return encoder.name;
    }
    names += (names.empty() ? "" : ", ") + encoder.name;
  }
  throw UsageError("encoder=" + name + ": no such encoder. Available: " + names);
}

std::size_t Models::width_of(const std::string& encoder) const {
  const auto found = std::find_if(encoders_.begin(), encoders_.end(),
                                  [&](const EncoderInfo& info) { return info.name == encoder; });
  return found == encoders_.end() ? 0 : found->width;
}

const Model& Models::find(const std::string& name) const {
  std::string names;
  for (const Model& model : models_) {
    if (model.name == name) {
      return model;
    }
    names += (names.empty() ? "" : ", ") + model.name;
  }
  throw UsageError("model=" + name + ": no such model. Available: " + names);
}

const Model& Models::find_for(bool judges, const std::string& name) const {
  if (models_.empty()) {
    throw UsageError("this server was started without a model");
  }
  if (name.empty()) {
    const auto first = std::find_if(models_.begin(), models_.end(),
                                    [&](const Model& model) { return model.judges() == judges; });
    if (first == models_.end()) {
      throw UsageError(judges ? "this server was started without a model that gives verdicts"
                              : "this server was started without a chemprop model");
    }
    return *first;
  }
  const Model& model = find(name);
  if (model.judges() != judges) {
    throw UsageError(judges ? "model=" + name + ": is a chemprop model. Ask for /api/v1/predict"
                            : "model=" + name +
                                  ": is not a chemprop model. Ask for /api/v1/domain or /api/v1/score");
  }
  return model;
}

}  // namespace headroom::serve
