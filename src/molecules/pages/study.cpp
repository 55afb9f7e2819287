#include "molecules/pages/study.h"

#include <algorithm>

#include "base/core/error.h"
#include "molecules/pages/folder_kinds.h"

namespace molgauge::report {

namespace {

Study read_folder(const std::filesystem::path& folder) {
  if (is_matrix_folder(folder)) {
    return read_matrix_folder(folder);
  }
  return is_baseline_folder(folder) ? read_baseline_folder(folder) : read_run_folder(folder);
}

}  // namespace

Study read_study(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(folder.string() +
                     ": no such folder. Name a folder of molgauge experiment, train or baseline");
  }
  if (std::filesystem::is_regular_file(folder / "seeds.json")) {
    throw InputError(folder.string() +
                     ": contains runs of several seeds. Name one of its folders seed_N. For a page of scored "
                     "molecules, use 'molgauge score'");
  }
  if (!is_matrix_folder(folder) && !is_run_folder(folder) && !is_baseline_folder(folder)) {
    throw InputError(folder.string() +
                     ": is neither a matrix (plan.csv) nor a run (config.json). Name a folder of "
                     "'molgauge experiment', 'molgauge train' or 'molgauge baseline'");
  }
  Study study = read_folder(folder);
  if (study.title.empty()) {
    study.title = std::filesystem::absolute(folder).lexically_normal().filename().string();
  }
  const bool any = std::any_of(study.outcomes.begin(), study.outcomes.end(),
                               [](const auto& outcome) { return outcome.ended.result.has_value(); });
  if (!any) {
    const auto failure = std::find_if(study.outcomes.begin(), study.outcomes.end(),
                                      [](const auto& outcome) { return !outcome.ended.error.empty(); });
    throw InputError(
        folder.string() + ": no run has finished" +
        (failure == study.outcomes.end() ? "" : " (the first error: " + failure->ended.error + ")") +
        ". Run 'molgauge experiment' with the same specification and --out to continue "
        "them");
  }
  return study;
}

}  // namespace molgauge::report
