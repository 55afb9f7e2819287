#include "experiment/cell_result.h"

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"

namespace headroom::experiment {
namespace {

using nlohmann::json;

constexpr const char* kFile = "cell.json";

/// Written and read by one list.
template <typename Result, typename Visit>
void for_each_field(Result& result, Visit visit) {
  visit("auroc", result.auroc);
  visit("aupr", result.aupr);
  visit("fpr95", result.fpr95);
  visit("validation_auroc", result.validation_auroc);
  visit("id_count", result.id_count);
  visit("ood_count", result.ood_count);
  visit("id_mean_score", result.id_mean_score);
  visit("ood_mean_score", result.ood_mean_score);
  visit("epochs_run", result.epochs_run);
  visit("best_epoch", result.best_epoch);
  visit("train_seconds", result.train_seconds);
  visit("eval_seconds", result.eval_seconds);
  visit("peak_host_memory_bytes", result.peak_host_memory_bytes);
  visit("remark", result.remark);
}

}  // namespace

std::optional<EndedCell> read_cell(const std::filesystem::path& folder) {
  if (!std::filesystem::is_regular_file(folder / kFile)) {
    return std::nullopt;
  }
  try {
    const json file = json::parse(read_file(folder / kFile));
    EndedCell cell;
    cell.identity = file.at("identity").get<std::string>();
    cell.error = file.value("error", "");
    if (file.contains("result")) {
      CellResult result;
      for_each_field(result,
                     [&](const char* name, auto& value) { file.at("result").at(name).get_to(value); });
      cell.result = result;
    }
    return cell;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

void write_cell(const std::filesystem::path& folder, const EndedCell& cell) {
  json file = {{"identity", cell.identity}};
  if (cell.result) {
    json result = json::object();
    for_each_field(*cell.result, [&](const char* name, const auto& value) { result[name] = value; });
    file["result"] = std::move(result);
  } else {
    file["error"] = cell.error;
  }
  replace_file(folder / kFile, file.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace headroom::experiment
