#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"

namespace molgauge::report {

enum class StudyKind { matrix, run, baselines };

/// The subject of a report: the runs of a matrix, a single run, or the methods of `molgauge baseline`.
struct Study {
  std::filesystem::path folder;
  std::string title;
  StudyKind kind = StudyKind::run;
  std::size_t planned = 0;                    ///< number of runs in the plan
  std::vector<matrix::CellOutcome> outcomes;  ///< finished and failed runs
  std::vector<std::string> gaps;              ///< one sentence for each missing or unreadable file
  std::string specification;                  ///< text of the specification of a matrix, or empty

  /// The run folder of an outcome.
  std::filesystem::path run_folder(const matrix::Cell& cell) const {
    return kind == StudyKind::matrix ? folder / cell.folder() : folder;
  }
  /// The file with the scores of the test molecules of a run.
  std::filesystem::path predictions_file(const matrix::Cell& cell) const {
    return run_folder(cell) /
           (kind == StudyKind::baselines ? cell.method + "_predictions.csv" : "detailed_predictions.csv");
  }
};

/// Reads a folder of `molgauge experiment`, `molgauge baseline` or a single run. The matrix may have been
/// killed or may still be running. Unreadable files become gaps. Throws InputError with a remedy if the
/// folder is of another kind or has no finished run.
Study read_study(const std::filesystem::path& folder);

}  // namespace molgauge::report
