#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

/// `headroom report`: a page, and tables for papers and programs, of a matrix or of a single run.
struct ReportRequest {
  std::string folder;  ///< of `headroom experiment` or `headroom baseline`, or an evaluated run folder
  std::string out;     ///< .html; empty: report.html in the folder. Tables go beside it: .md, .tex, .csv
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula (docs/formats.md).
  bool spreadsheet_safe = false;
};

struct ReportSummary {
  std::size_t planned = 0, finished = 0, failed = 0;  ///< runs
  std::vector<std::string> files;                     ///< written, the page first
  std::vector<std::string> gaps;                      ///< what is missing or could not be read
};

}  // namespace headroom
