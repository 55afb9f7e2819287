#pragma once

#include <filesystem>
#include <vector>

#include "core/csv.h"
#include "matrix/matrix.h"

namespace headroom::matrix {

/// plan.csv: every run of the matrix (benchmark, encoder, method, kind, options, seed, data_seed) with its
/// identity_mark(). Written before the first run, so that missing runs of an interrupted matrix are known,
/// and results of an earlier specification can be recognised.
void write_plan(const std::filesystem::path& folder, const std::vector<CellOutcome>& runs);

/// Writes the results of a matrix into its folder, each file replaced atomically:
/// - cells.csv: one row a run. Holds no times, so that it is the same bytes however often the matrix was
/// interrupted.
/// - summary.csv: one row a variant, means with sample deviation and 95 % bootstrap interval.
/// - significance.csv: pairs of variants, mean difference in AUROC and the signed-rank test's p-value.
/// - chosen.csv: for methods with a grid, the point that validation chose, with its test figures.
/// - the Python project's summaries with its keys: dataset_metrics.json beside the runs of each variant,
///   ENCODER_experiment_results.json, and ablation_summary.json (population deviations).
void write_tables(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes,
                  CsvTexts texts = CsvTexts::exact);

}  // namespace headroom::matrix
