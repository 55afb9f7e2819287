#include "server/models.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/files/files_below.h"
#include "base/core/json/json_reader.h"
#include "base/core/text/bytes.h"
#include "molgauge/budget_error.h"
#include "molgauge/error.h"

namespace molgauge::serve {
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

/// Tries the chemprop model of a domain. Its predictions are left out if it takes descriptors, because lists
/// of SMILES have none.
void add_tasks(Engine& engine, const ServeRequest& request, Model& model) {
  const auto manifest =
      parse_json<nlohmann::json>(read_file(std::filesystem::path(model.folder) / "domain-manifest.json"));
  const bool as_drawn = manifest.value("predicts_drawing", false);
  PredictRequest predict;
  predict.model = model.folder;
  predict.store = request.store;
  predict.weights = request.weights;
  predict.compute = on_cpu(request.compute);
  predict.standardize =
      as_drawn ? Standardize::none
               : from_word<Standardize>(manifest.value("standardize", "none")).value_or(Standardize::none);
  try {
    model.tasks = engine.predict(predict, {.smiles = {"C"}}).report.tasks;
    model.predicted_form = predict.standardize;
  } catch (const UsageError&) {
    model.tasks.clear();
  }
}

Model open_domain(Engine& engine, const ServeRequest& request, const std::string& folder) {
  DomainRequest domain;
  domain.training = folder;
  domain.store = request.store;
  domain.weights = request.weights;
  domain.compute = request.compute;
  const std::vector<std::string> methane{"C"};
  const JudgedList list = engine.judge_molecules(domain, methane);
  Model model{.folder = folder,
              .kind = Model::Kind::domain,
              .encoder = list.encoder,
              .training_molecules = list.training_molecules,
              .calibration = list.calibration};
  if (model.encoder == "chemprop") {
    add_tasks(engine, request, model);
  }
  return model;
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
  const std::vector<std::filesystem::path> files = files_below(model);
  return std::any_of(files.begin(), files.end(),
                     [](const std::filesystem::path& file) { return file.extension() == ".pt"; });
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

/// A model of the request that is not open yet.
struct Found {
  enum class Kind { domain, chemprop, run };
  std::filesystem::path path;
  Kind kind;
};

Found find_model(Engine& engine, const ServeRequest& request, const std::string& given) {
  std::filesystem::path path = std::filesystem::path(given).lexically_normal();
  if (path == kInstalledModels && given != kInstalledModels) {
    path = std::filesystem::path(".") / path;  // a folder, and not the installed models
  }
  if (is_chemprop(engine, request, path)) {
    return {path, Found::Kind::chemprop};
  }
  if (!std::filesystem::is_directory(path)) {
    throw InputError(given +
                     ": is not a folder. Give --model a folder of molgauge domain --save, train or baseline, "
                     "a chemprop model (.pt, .ckpt or a folder of .pt files), or admet-ai");
  }
  return {path,
          std::filesystem::exists(path / "domain-manifest.json") ? Found::Kind::domain : Found::Kind::run};
}

Model open_model(Engine& engine, const ServeRequest& request, const Found& found,
                 const std::string& scratch) {
  switch (found.kind) {
    case Found::Kind::chemprop:
      return open_chemprop(engine, request, found.path.string());
    case Found::Kind::domain:
      return open_domain(engine, request, found.path.string());
    default:
      return open_run(engine, request, found.path.string(), scratch);
  }
}

/// Bytes of a file, or of all files in a folder.
std::uint64_t bytes_on_disk(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
    return ignored ? 0 : bytes;
  }
  std::uint64_t bytes = 0;
  for (std::filesystem::recursive_directory_iterator entry(path, ignored), end; entry != end;
       entry.increment(ignored)) {
    bytes += entry->is_regular_file(ignored) ? entry->file_size(ignored) : 0;
  }
  return bytes;
}

/// Returns an upper bound of the memory that models take in addition to models that are already open. The
/// factors are measured: a saved domain takes 2.1 to 2.8 times its size on disk, and LibTorch 150 MiB.
std::uint64_t bytes_of_later(Engine& engine, const ServeRequest& request, std::span<const Found> models) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20, kTorch = 160 * kMebibyte;
  std::uint64_t bytes = 0;
  bool has_run = false;
  for (const Found& model : models) {
    std::filesystem::path path = model.path;
    if (path == kInstalledModels) {
      for (const WeightsInfo& installed : engine.run(WeightsRequest{.weights = request.weights})) {
        path = installed.encoder == kInstalledModels ? std::filesystem::path(installed.folder) : path;
      }
    }
    bytes += 6 * kMebibyte + bytes_on_disk(path) * (model.kind == Found::Kind::chemprop ? 2 : 3);
    has_run = has_run || model.kind == Found::Kind::run;
  }
  return bytes + (has_run ? kTorch : 0);
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
  std::vector<Found> found;
  for (const std::string& given : request.models) {
    found.push_back(find_model(engine, request, given));
  }
  for (auto model = found.begin(); model != found.end(); ++model) {
    try {
      add(open_model(engine, request, *model, scratch), model->path);
    } catch (const BudgetError& refusal) {
      const std::uint64_t later = bytes_of_later(engine, request, {model + 1, found.end()});
      if (later == 0) {
        throw;
      }
      const auto more = static_cast<std::size_t>(found.end() - model - 1);
      throw BudgetError(
          fmt::format("{}. The server also has {} more {}, for which the budget below includes "
                      "an upper bound of {}",
                      refusal.reason(), more, more == 1 ? "model" : "models", format_bytes(later)),
          refusal.option(), refusal.smallest_bytes() + later);
    }
  }
}

void Models::add(Model model, const std::filesystem::path& path) {
  const std::string name = (path.filename().empty() ? path.parent_path() : path).filename().string();
  model.name = name;
  for (int number = 2; std::any_of(models_.begin(), models_.end(),
                                   [&](const Model& other) { return other.name == model.name; });
       ++number) {
    model.name = fmt::format("{}-{}", name, number);
  }
  models_.push_back(std::move(model));
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

}  // namespace molgauge::serve
