#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "matrix/matrix.h"
#include "matrix/summary.h"

namespace headroom::matrix {

/// The summaries that the Python project's experiment programs write, under its file names and keys (see
/// write_tables).
void write_python_summaries(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes);

/// The content of dataset_metrics.json: "metrics" (auroc, aupr, fpr95: mean, std), "num_seeds".
nlohmann::json dataset_metrics(const VariantSummary& summary);

/// auroc, aupr and fpr95 of the runs that ended well, in the form of the ablation program: mean, population
/// deviation, min, max, runs. Empty where none ended well.
nlohmann::json ablation_metrics(const std::vector<CellOutcome>& runs);

}  // namespace headroom::matrix
