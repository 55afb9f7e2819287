#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "molecules/pages/folder_kinds.h"
#include "molecules/pages/json_fields.h"
#include "molgauge/choices.h"

namespace molgauge::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kBaselineRemedy =
    "Remove it and run 'molgauge baseline' again, or start from scratch with --restart";
constexpr const char* kResults = "_results.json";

constexpr auto& kMethods = kWords<BaselineMethod>;

ordered_json object_of(const fs::path& file) {
  auto content = parse_json_or_nothing<ordered_json>(read_file(file));
  return content.is_object() ? content : ordered_json::object();
}

matrix::CellResult result_of_baseline(const ordered_json& figures, const ordered_json& classifier) {
  matrix::CellResult result;
  result.auroc = number_field(figures, "auroc");
  result.aupr = number_field(figures, "aupr");
  result.fpr95 = number_field(figures, "fpr95");
  result.validation_auroc = number_field(figures, "validation_auroc");
  result.aupr_id_positive = number_field(figures, "aupr_id_positive");
  result.fpr95_id_positive = number_field(figures, "fpr95_id_positive");
  result.id_count = count_field(figures, "id_count");
  result.ood_count = count_field(figures, "ood_count");
  result.id_mean_score = number_field(figures, "id_scores_mean");
  result.ood_mean_score = number_field(figures, "ood_scores_mean");
  result.eval_seconds = number_field(figures, "fit_seconds") + number_field(figures, "score_seconds");
  result.epochs_run = count_field(classifier, "epochs_run");
  result.best_epoch = count_field(classifier, "best_epoch");
  result.train_seconds = number_field(classifier, "train_time_seconds");
  const auto collapsed = figures.find("classifier_collapsed");
  result.remark = matrix::remark_of(collapsed != figures.end() && *collapsed == true,
                                    count_field(figures, "shared_molecules"));
  return result;
}

/// The training statistics of the classifier that the method uses. They are empty if the method has none, or
/// if the run stopped before it wrote them.
ordered_json classifier_of(const ordered_json& training, const std::string& method) {
  const bool has_classifier = !method.starts_with("raw_") && method != "logistic_regression";
  const char* const objective = !has_classifier              ? "none"
                                : method.starts_with("dam_") ? "auc_margin"
                                                             : "supervised";
  const auto classifiers = training.find("classifiers");
  const bool known =
      classifiers != training.end() && classifiers->is_object() && classifiers->contains(objective);
  return known && (*classifiers)[objective].is_object() ? (*classifiers)[objective] : ordered_json::object();
}

/// Whether the file is intact. A damaged file is added to `gaps`.
bool is_whole(const fs::path& file, std::vector<std::string>& gaps) {
  try {
    require_intact(file, kBaselineRemedy);
    return true;
  } catch (const InputError& damage) {
    gaps.emplace_back(damage.what());
    return false;
  }
}

}  // namespace

bool is_baseline_folder(const fs::path& folder) {
  const bool has_results = std::any_of(kMethods.begin(), kMethods.end(), [&](std::string_view method) {
    return fs::is_regular_file(folder / (std::string(method) + kResults));
  });
  return has_results || (fs::is_regular_file(folder / "config.json") &&
                         object_of(folder / "config.json").contains("hidden_channels"));
}

Study read_baseline_folder(const fs::path& folder) {
  Study study;
  study.folder = folder;
  study.kind = StudyKind::baselines;
  require_intact(folder / "config.json", kBaselineRemedy);
  const ordered_json config = read_json(folder / "config.json", study.gaps);
  const ordered_json training = read_json(folder / "training_stats.json", study.gaps);
  for (const std::string_view word : kMethods) {
    const std::string method(word);
    const fs::path file = folder / (method + kResults);
    if (!fs::is_regular_file(file)) {
      continue;
    }
    if (!is_whole(file, study.gaps)) {
      continue;
    }
    const auto result = result_of_baseline(object_of(file), classifier_of(training, method));
    if (!has_figures(result)) {
      study.gaps.push_back(file.string() + " has no auroc, aupr and fpr95.");
      continue;
    }
    matrix::Cell cell = cell_of_config(config);
    cell.method = cell.kind = method;
    study.outcomes.push_back({std::move(cell), {"", result, ""}, true});
  }
  study.planned = study.outcomes.size();
  if (study.outcomes.empty()) {
    std::string text =
        folder.string() + ": no baseline has finished. The same 'molgauge baseline' command continues them";
    for (const std::string& gap : study.gaps) {
      text += "\n  " + gap;
    }
    throw InputError(text);
  }
  return study;
}

}  // namespace molgauge::report
