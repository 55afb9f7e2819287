#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct ReportSummary;

/// `headroom report`: a page, and tables for papers and programs, of a matrix or of a single run.
struct ReportRequest {
  using Report = ReportSummary;

  std::string folder;  ///< folder of `headroom experiment` or `headroom baseline`, or an evaluated run folder
  std::string out;     ///< .html; empty: report.html in the folder, or beside `scores` with its name. Tables
                       ///< go beside it: .md, .tex, .csv
  /// The file of `headroom score --out` with scores of this run: the page of these molecules is written in
  /// place of the report; empty: the report.
  std::string scores = {};
  std::string smiles_column = "smiles";  ///< of that file
  std::string method = {};  ///< as in ScoreRequest, whose values must be those that the file was made with
  std::optional<double> threshold = {};
  double id_recall = 0.95;
  std::size_t page_rows = 10000;  ///< molecules that the page lists at most
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
};

struct ReportSummary {
  std::size_t candidates = 0;                         ///< on the page of scored molecules
  std::size_t planned = 0, finished = 0, failed = 0;  ///< runs
  std::vector<std::string> files;                     ///< written, the page first
  std::vector<std::string> gaps;                      ///< files that are missing or could not be read
};

}  // namespace headroom
