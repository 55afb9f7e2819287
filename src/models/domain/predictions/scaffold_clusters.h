#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom::domain {

/// Number of folds of whole scaffolds in every cross-validation of predictions.
inline constexpr std::size_t kFoldsOfPredictions = 5;

/// Returns the cluster of each molecule, for scaffold_folds(). The cluster of a molecule is its scaffold. If
/// more than a fifth of the molecules have the same scaffold, each of them is a separate cluster, because too
/// few molecules would remain outside the scaffold. The empty scaffold of acyclic molecules often has more
/// molecules than this.
std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds);

}  // namespace headroom::domain
