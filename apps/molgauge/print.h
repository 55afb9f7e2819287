#pragma once

#include <vector>

#include "base/core/text/csv.h"
#include "molgauge/evaluate.h"

namespace molgauge::cli {

/// Prints on stderr why records failed: the first few records with their reasons, and the number of the
/// remaining records. --quiet does not hide this, because these are errors of the input.
void print_failed(const std::vector<FailedMolecule>& failed);
/// Like print_failed() above, for a list that contains only the first few of the `all` failed records.
void print_failed(const std::vector<FailedMolecule>& failed, std::size_t all);

/// Prints time and peak memory of each phase on stderr.
void print_phases(const std::vector<PhaseReport>& phases);

/// Prints the metrics of an evaluation as a table on stdout.
void print_evaluation(const EvaluateReport& report);

/// Prints scores on stdout as a table, or as CSV if `csv` is set (molecules/pages/score_table.h). The CSV
/// contains the texts of the input unchanged, because programs read it. If stdout is a terminal, control
/// characters in the CSV are escaped.
void print_scores(const ScoreReport& report, bool csv, CsvTexts texts = CsvTexts::exact);

}  // namespace molgauge::cli
