#pragma once

#include <vector>

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

}  // namespace molgauge::cli
