#include "report/run_folder.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/error.h"

namespace headroom::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string text(const ordered_json& object, const char* key, const std::string& otherwise) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : otherwise;
}

double number(const ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<double>() : std::nan("");
}

std::size_t count(const ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number_unsigned() ? object[key].get<std::size_t>() : 0;
}

experiment::Cell cell_of(const ordered_json& config) {
  experiment::Cell cell;
  cell.benchmark = fs::path(text(config, "data_file", "benchmark")).stem().string();
  cell.encoder = text(config, "foundation_model", "encoder");
  cell.method = "energy-" + text(config, "loss_type", "head");
  cell.kind = "energy";
  cell.seed = count(config, "seed");
  cell.data_seed = count(config, "data_seed");
  return cell;
}

experiment::CellResult result_of(const ordered_json& metrics, const ordered_json& training) {
  experiment::CellResult result;
  result.auroc = number(metrics, "auroc");
  result.aupr = number(metrics, "aupr");
  result.fpr95 = number(metrics, "fpr95");
  result.validation_auroc = number(training, "best_auroc");
  result.id_count = count(metrics, "id_count");
  result.ood_count = count(metrics, "ood_count");
  result.epochs_run = count(training, "epochs_run");
  result.best_epoch = count(training, "best_epoch");
  result.train_seconds = number(training, "train_time_seconds");
  result.eval_seconds = number(metrics, "eval_time_seconds");
  return result;
}

}  // namespace

bool is_run_folder(const fs::path& folder) { return fs::is_regular_file(folder / "config.json"); }

ordered_json read_json(const fs::path& path, std::vector<std::string>& gaps) {
  if (!fs::is_regular_file(path)) {
    gaps.push_back(path.string() + " is missing.");
    return ordered_json::object();
  }
  auto content = ordered_json::parse(read_file(path), nullptr, false);
  if (!content.is_object()) {
    gaps.push_back(path.string() + " is not a JSON object.");
    return ordered_json::object();
  }
  return content;
}

std::vector<std::pair<std::string, std::string>> fields_of(const ordered_json& object) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [name, value] : object.items()) {
    if (value.is_string()) {
      fields.emplace_back(name, value.get<std::string>());
    } else if (value.is_primitive() && !value.is_null()) {
      fields.emplace_back(name, value.dump());
    }
  }
  return fields;
}

Study read_run_folder(const fs::path& folder) {
  Study study;
  study.folder = folder;
  study.planned = 1;
  const ordered_json config = read_json(folder / "config.json", study.gaps);
  const ordered_json training = read_json(folder / "training_stats.json", study.gaps);
  if (!fs::is_regular_file(folder / "test_metrics.json")) {
    throw InputError(folder.string() + ": this run has not been evaluated; run 'headroom evaluate " +
                     folder.string() + "' first");
  }
  const ordered_json metrics = read_json(folder / "test_metrics.json", study.gaps);
  const auto result = result_of(metrics, training);
  if (!std::isfinite(result.auroc) || !std::isfinite(result.aupr) || !std::isfinite(result.fpr95)) {
    throw InputError((folder / "test_metrics.json").string() +
                     ": no auroc, aupr and fpr95; run 'headroom evaluate' again");
  }
  study.outcomes.push_back({cell_of(config), {"", result, ""}, true});
  return study;
}

}  // namespace headroom::report
