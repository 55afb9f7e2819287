#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/matrix/matrix.h"

namespace headroom::report {

enum class StudyKind { matrix, run, baselines };

/// The subject of a report: the runs of a matrix, a single run, or the methods of `headroom baseline`.
struct Study {
  std::filesystem::path folder;
  std::string title;
  StudyKind kind = StudyKind::run;
  std::size_t planned = 0;                    ///< runs
  std::vector<matrix::CellOutcome> outcomes;  ///< runs that ended, well or not
  std::vector<std::string> gaps;              ///< missing or unreadable files, a sentence each
  std::string specification;                  ///< text of a matrix's specification; empty where there is none

  /// The run folder of an outcome.
  std::filesystem::path run_folder(const matrix::Cell& cell) const {
    return kind == StudyKind::matrix ? folder / cell.folder() : folder;
  }
  /// The scores of its test molecules.
  std::filesystem::path predictions_file(const matrix::Cell& cell) const {
    return run_folder(cell) /
           (kind == StudyKind::baselines ? cell.method + "_predictions.csv" : "detailed_predictions.csv");
  }
};

/// Reads the folder of `headroom experiment` (also of one that was killed, or is still running) or of a run.
/// Unreadable files become gaps. Throws InputError with the fix when the folder is of another kind, or has no
/// finished run.
Study read_study(const std::filesystem::path& folder);

}  // namespace headroom::report
