#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::domain {

/// Number of folds of whole scaffolds in every cross-validation of predictions.
inline constexpr std::size_t kFoldsOfPredictions = 5;

/// Returns the cluster of each molecule, for scaffold_folds(): its scaffold. If a scaffold holds more than a
/// fifth of the molecules, as the empty scaffold of acyclic molecules often does, each of its molecules is a
/// separate cluster. Otherwise too few molecules would remain without the scaffold.
std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds);

}  // namespace headroom::domain
