#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge {

struct ReportSummary;

/// `molgauge report`: writes a page and tables for a matrix or a single run.
struct ReportRequest {
  using Report = ReportSummary;

  std::string folder;  ///< folder of `molgauge experiment` or `molgauge baseline`, or an evaluated run folder
  /// .html file. If empty, it is report.html in the folder. Tables (.md, .tex, .csv) are written next to it.
  std::string out;
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
};

struct ReportSummary {
  std::size_t planned = 0, finished = 0, failed = 0;  ///< runs
  std::vector<std::string> files;                     ///< written files, the page first
  std::vector<std::string> gaps;                      ///< files that are missing or could not be read
};

}  // namespace molgauge
