#include "molecules/experiments/matrix/cell_result.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/hash.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"

namespace molgauge::matrix {
namespace {

using nlohmann::json;

constexpr const char* kFile = "cell.json";

/// Visits the fields that are written and read.
template <typename Result, typename Visit>
void for_each_field(Result& result, Visit visit) {
  visit("auroc", result.auroc);
  visit("aupr", result.aupr);
  visit("fpr95", result.fpr95);
  visit("aupr_id_positive", result.aupr_id_positive);
  visit("fpr95_id_positive", result.fpr95_id_positive);
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

template <typename Head, typename Visit>
void for_each_head_field(Head& head, Visit visit) {
  visit("final_train_loss", head.final_train_loss);
  visit("final_validation_loss", head.final_validation_loss);
  visit("test_loss", head.test_loss);
  visit("mean_gradient_norm", head.mean_gradient_norm);
  visit("largest_gradient_norm", head.largest_gradient_norm);
  visit("convergence_rate", head.convergence_rate);
  visit("stability_score", head.stability_score);
}

CellResult result_from_json(const json& fields) {
  CellResult result;
  for_each_field(result, [&](const char* name, auto& value) { get_checked(fields.at(name), value); });
  if (fields.contains("head")) {
    for_each_head_field(result.head.emplace(), [&](const char* name, auto& value) {
      get_checked(fields.at("head").at(name), value);
    });
  }
  return result;
}

json to_json(const CellResult& result) {
  json fields = json::object();
  for_each_field(result, [&](const char* name, const auto& value) { fields[name] = value; });
  if (result.head) {
    for_each_head_field(*result.head,
                        [&](const char* name, const auto& value) { fields["head"][name] = value; });
  }
  return fields;
}

}  // namespace

std::string remark_of(bool collapsed, std::size_t shared_molecules) {
  std::string remark = collapsed ? "the classifier collapsed to one label" : "";
  if (shared_molecules > 0) {
    remark += fmt::format(
        "{}{} in parts that must not overlap, which was accepted", remark.empty() ? "" : ". ",
        shared_molecules == 1 ? "1 molecule is" : fmt::format("{} molecules are", shared_molecules));
  }
  return remark;
}

std::string identity_mark(const std::string& identity) {
  return fmt::format("{:02x}", fmt::join(hash128(identity), ""));
}

std::optional<EndedCell> read_cell(const std::filesystem::path& folder) {
  if (!std::filesystem::is_regular_file(folder / kFile)) {
    return std::nullopt;
  }
  try {
    require_intact(folder / kFile, "It counts as missing");
    const json file = parse_json(read_file(folder / kFile));
    EndedCell cell;
    cell.identity = file.at("identity").get<std::string>();
    cell.error = file.value("error", "");
    if (file.contains("result")) {
      cell.result = result_from_json(file.at("result"));
    }
    return cell;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const InputError& damage) {
    log_warning("{}", damage.what());
    return std::nullopt;
  }
}

void write_cell(const std::filesystem::path& folder, const EndedCell& cell) {
  json file = {{"identity", cell.identity}};
  if (cell.result) {
    file["result"] = to_json(*cell.result);
  } else {
    file["error"] = cell.error;
  }
  replace_file(folder / kFile, json_text(file));
}

}  // namespace molgauge::matrix
