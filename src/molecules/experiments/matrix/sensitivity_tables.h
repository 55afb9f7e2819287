#pragma once

#include <filesystem>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"

namespace molgauge::matrix {

/// Writes beta_sensitivity.csv, lambda_sensitivity.csv and parameter_study.csv. Each table has a row for each
/// benchmark, encoder, method and point of a grid. The first table is for grids over dpo-beta, the second for
/// grids over lambda-reg, and the third for grids over both options. Figures are means over the successful
/// runs. A table without runs is not written. Tables of an earlier specification are removed.
void write_sensitivity_tables(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes);

}  // namespace molgauge::matrix
