#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/matrix.h"

namespace headroom::report {

/// What a report is about: the runs of a matrix, or a single one.
struct Study {
  std::filesystem::path folder;
  std::string title;
  bool is_matrix = false;
  std::size_t planned = 0;                        ///< runs
  std::vector<experiment::CellOutcome> outcomes;  ///< of runs that ended, well or not
  std::vector<std::string> gaps;                  ///< what is missing or cannot be read, a sentence each
  std::string specification;                      ///< of a matrix; empty where there is none

  /// The run folder of an outcome.
  std::filesystem::path run_folder(const experiment::Cell& cell) const {
    return is_matrix ? folder / cell.folder() : folder;
  }
};

/// Reads the folder of `headroom experiment` (also of one that was killed, or is still under way) or of a
/// run. What cannot be read becomes a gap. Throws InputError, saying what to do, when the folder is neither,
/// or has no finished run.
Study read_study(const std::filesystem::path& folder);

}  // namespace headroom::report
