#pragma once

#include <vector>

#include "core/csv.h"
#include "headroom/evaluate.h"

namespace headroom::cli {

/// Prints on stderr which records failed and why: the first few, and the number of the others. These are
/// errors of the input, so --quiet does not hide them.
void print_failed(const std::vector<FailedMolecule>& failed);
/// Like print_failed() above, if `failed` contains only the first few of `all` failed records.
void print_failed(const std::vector<FailedMolecule>& failed, std::size_t all);

/// Prints time and peak memory of each phase on stderr.
void print_phases(const std::vector<PhaseReport>& phases);

/// Prints the metrics of an evaluation as a table on stdout.
void print_evaluation(const EvaluateReport& report);

/// Prints scores on stdout as a table, or as CSV if `csv` is set (pages/study/score_table.h). CSV is for
/// programs, so it contains the texts of the input unchanged. On a terminal, control characters are escaped.
void print_scores(const ScoreReport& report, bool csv, CsvTexts texts = CsvTexts::exact);

}  // namespace headroom::cli
