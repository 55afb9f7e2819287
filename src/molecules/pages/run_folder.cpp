#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "molecules/pages/folder_kinds.h"
#include "molecules/pages/json_fields.h"

namespace molgauge::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

matrix::Cell cell_of(const ordered_json& config) {
  matrix::Cell cell = cell_of_config(config);
  cell.method = "energy-" + text_field(config, "loss_type", "head");
  cell.kind = "energy";
  return cell;
}

matrix::CellResult result_of_run(const ordered_json& metrics, const ordered_json& training) {
  matrix::CellResult result;
  result.auroc = number_field(metrics, "auroc");
  result.aupr = number_field(metrics, "aupr");
  result.fpr95 = number_field(metrics, "fpr95");
  result.validation_auroc = number_field(training, "best_auroc");
  result.aupr_id_positive = number_field(metrics, "aupr_id_positive");
  result.fpr95_id_positive = number_field(metrics, "fpr95_id_positive");
  result.id_count = count_field(metrics, "id_count");
  result.ood_count = count_field(metrics, "ood_count");
  result.epochs_run = count_field(training, "epochs_run");
  result.best_epoch = count_field(training, "best_epoch");
  result.train_seconds = number_field(training, "train_time_seconds");
  result.eval_seconds = number_field(metrics, "eval_time_seconds");
  result.remark = matrix::remark_of(/*collapsed=*/false, count_field(metrics, "shared_molecules"));
  if (metrics.contains("shared_molecules") && metrics["shared_molecules"].is_null()) {
    result.remark = "it is unknown whether some test molecules are training molecules";
  }
  return result;
}

}  // namespace

bool is_run_folder(const fs::path& folder) { return fs::is_regular_file(folder / "config.json"); }

Study read_run_folder(const fs::path& folder) {
  Study study;
  study.folder = folder;
  study.planned = 1;
  require_intact(folder / "config.json", "Train again");
  const ordered_json config = read_json(folder / "config.json", study.gaps);
  const ordered_json training = read_json(folder / "training_stats.json", study.gaps);
  if (!fs::is_regular_file(folder / "test_metrics.json")) {
    throw InputError(folder.string() + ": this run has not been evaluated. Run 'molgauge evaluate " +
                     folder.string() + "' first");
  }
  const ordered_json metrics = read_json(folder / "test_metrics.json", study.gaps);
  const auto result = result_of_run(metrics, training);
  if (!has_figures(result)) {
    throw InputError((folder / "test_metrics.json").string() +
                     ": no auroc, aupr and fpr95. Run 'molgauge evaluate' again");
  }
  study.outcomes.push_back({cell_of(config), {"", result, ""}, true});
  return study;
}

}  // namespace molgauge::report
