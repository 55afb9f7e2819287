#pragma once

#include <filesystem>
#include <memory>

#include "experiments/matrix/cluster_bootstrap.h"

namespace headroom::report {

/// Reads the test scores of the cells of a matrix from detailed_predictions.csv in their run folders. The
/// cluster of a molecule is its Murcko scaffold. A molecule without rings, or a text that RDKit does not
/// read, is a separate cluster. `folder`: of the matrix. The first file that is missing or damaged is
/// logged.
matrix::ReadTestScores scaffold_scores(const std::filesystem::path& folder);

}  // namespace headroom::report
