#pragma once

#include "base/core/text/csv.h"
#include "molgauge/evaluate.h"

namespace molgauge::cli {

/// Prints scores on stdout as a table, or as CSV if `csv` is set (molecules/pages/score_table.h). The CSV
/// contains the texts of the input unchanged, because programs read it. If stdout is a terminal, control
/// characters in the CSV are escaped.
void print_scores(const ScoreReport& report, bool csv, CsvTexts texts = CsvTexts::exact);

}  // namespace molgauge::cli
