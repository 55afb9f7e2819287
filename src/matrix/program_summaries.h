#pragma once

#include <filesystem>
#include <vector>

#include "experiment/spec.h"
#include "matrix/matrix.h"

namespace headroom::matrix {

/// Files that single experiment programs of the Python project write beside those of write_tables(), if the
/// matrix does the same work; each replaced atomically.
/// - Benchmarks with a `test` of their own: cross_dataset_metrics.json beside the runs of each variant, and
///   cross_dataset_summary.json (benchmark, encoder, variant).
/// - Energy heads with different losses and one setting each: LOSS_metrics.json beside their benchmark's
/// runs.
/// - A grid over dpo-beta, or over lambda-reg: beta_sensitivity.csv, lambda_sensitivity.csv (means over the
///   seeds). Over both: parameter_study.csv.
void write_program_summaries(const std::filesystem::path& folder, const experiment::Spec& spec,
                             const std::vector<CellOutcome>& outcomes);

}  // namespace headroom::matrix
