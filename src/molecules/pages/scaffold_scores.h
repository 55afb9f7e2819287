#pragma once

#include <filesystem>
#include <memory>

#include "molecules/experiments/matrix/cluster_bootstrap.h"

namespace molgauge::report {

/// Reads the test scores of cells from detailed_predictions.csv in their run folders. The cluster of a
/// molecule is its Murcko scaffold. A molecule without rings, or a text that RDKit cannot parse, is a
/// separate cluster. `folder`: folder of the matrix. Logs the first missing or damaged file.
matrix::ReadTestScores scaffold_scores(const std::filesystem::path& folder);

}  // namespace molgauge::report
