#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::domain {

/// Number of folds of whole scaffolds in every cross-validation of predictions.
inline constexpr std::size_t kFoldsOfPredictions = 5;

/// Returns the cluster of each molecule, for scaffold_folds(). The cluster is the scaffold. If a scaffold has
/// more than a fifth of the molecules, each of its molecules is a separate cluster. The empty scaffold of
/// acyclic molecules is often so large. Otherwise too few molecules would remain without the scaffold.
std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds);

}  // namespace headroom::domain
