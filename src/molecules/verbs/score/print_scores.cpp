#include "molecules/verbs/score/print_scores.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/core/session/standard_streams.h"
#include "base/core/text/csv.h"
#include "base/core/text/printable.h"
#include "base/page/text_table.h"
#include "molecules/pages/score_table.h"

namespace molgauge::cli {
namespace {

std::string csv_line(const std::vector<std::string>& cells, CsvTexts texts) {
  const bool on_terminal = isatty(STDOUT_FILENO) == 1;
  std::string line;
  for (const std::string& cell : cells) {
    line += (&cell == &cells.front() ? "" : ",") + csv_field(on_terminal ? printable(cell) : cell, texts);
  }
  return line;
}

void print_csv(const ScoreReport& report, CsvTexts texts) {
  fmt::print("{}\n", csv_line(report::score_header(report), texts));
  for (const auto& molecule : report.molecules) {
    fmt::print("{}\n", csv_line(report::score_cells(report, molecule), texts));
  }
}

}  // namespace

void print_scores(const ScoreReport& report, bool csv, CsvTexts texts) {
  if (csv) {
    print_csv(report, texts);
    return;
  }
  page::TextTable table(report::short_score_header(report));
  for (const auto& molecule : report.molecules) {
    table.add_row(report::short_score_cells(report, molecule));
  }
  print_result("{}", table.to_string());
}

}  // namespace molgauge::cli
