#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/core/text/csv.h"
#include "molecules/experiments/matrix/matrix.h"
#include "molecules/experiments/matrix/summary.h"

namespace molgauge::matrix {

/// Writes plan.csv: every run of the matrix (benchmark, encoder, method, kind, options, seed, data_seed) with
/// its identity_mark(). It is written before the first run. It shows which runs of an interrupted matrix are
/// missing, and which results belong to an earlier specification.
void write_plan(const std::filesystem::path& folder, const std::vector<CellOutcome>& runs);

/// Writes the results of a matrix into its folder. Each file is replaced atomically:
/// - cells.csv: one row for each run. It contains no times, so interruptions of the matrix do not change the
///   file.
/// - summary.csv: one row for each variant, with means, sample deviations and 95 % bootstrap intervals.
/// - chosen.csv: for methods with a grid, the point that validation chose, with its test figures.
void write_tables(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes,
                  CsvTexts texts = CsvTexts::exact);

/// Replaces significance.csv: a row for each pair of variants with the fields of Comparison. Columns that
/// begin with "molecules_" contain the results of the bootstrap. They are empty if there is no bootstrap.
/// `p_value_over` is "data seeds" or "training seeds".
void write_significance(const std::filesystem::path& folder, const std::vector<Comparison>& comparisons);

/// Writes `text` to the file. If `text` is empty, removes the file, because it belongs to an earlier
/// specification.
void write_or_remove(const std::filesystem::path& file, const std::string& text);

}  // namespace molgauge::matrix
