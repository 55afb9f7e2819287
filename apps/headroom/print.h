#pragma once

#include <vector>

#include "core/csv.h"
#include "headroom/evaluate.h"

namespace headroom::cli {

/// Prints on stderr which records failed and why: the first few, and how many more. These are errors of the
/// input, which --quiet does not silence.
void print_failed(const std::vector<FailedMolecule>& failed);
/// As above, where `failed` holds only the first few of `all` failed records.
void print_failed(const std::vector<FailedMolecule>& failed, std::size_t all);

/// Time and peak memory of each phase, on stderr.
void print_phases(const std::vector<PhaseReport>& phases);

/// Metrics of an evaluation as a table on stdout.
void print_evaluation(const EvaluateReport& report);

/// Scores as a table (`csv` false) or as CSV (pages/study/score_table.h) on stdout. CSV is for programs:
/// its texts are those of the input, except on a terminal, which would obey control characters.
void print_scores(const ScoreReport& report, bool csv, CsvTexts texts = CsvTexts::exact);

}  // namespace headroom::cli
