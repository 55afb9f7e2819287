#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"

namespace molgauge::domain {

/// Number of folds of whole scaffolds in every cross-validation of predictions.
inline constexpr std::size_t kFoldsOfPredictions = 5;

/// Returns the cluster of each molecule, for scaffold_folds(). The cluster of a molecule is its scaffold. If
/// more than a fifth of the molecules have the same scaffold, each of them is a separate cluster, because too
/// few molecules would remain outside the scaffold. The empty scaffold of acyclic molecules often has more
/// molecules than this. `smiles`: SMILES of the molecules, which name the separate clusters, so that folds do
/// not depend on the order of the molecules.
std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds,
                                           const std::vector<std::string>& smiles);

/// The fold of each molecule, 0 to kFoldsOfPredictions - 1, from scaffold_folds() of scaffold_clusters().
std::vector<std::size_t> folds_of_predictions(const std::vector<std::string>& scaffolds,
                                              const std::vector<std::string>& smiles);
std::vector<std::size_t> folds_of_predictions(const std::vector<CalibrationMolecule>& molecules);

/// Whether cross-validation is possible: there are at least `fewest` molecules, and as many clusters as
/// folds.
bool suffice_for_folds(const std::vector<CalibrationMolecule>& molecules, std::size_t fewest);

/// The fold of each molecule, 0 to kFoldsOfPredictions - 1. A scaffold is never divided.
std::vector<std::size_t> whole_scaffold_folds(const std::vector<std::string>& scaffolds);

/// The number of distinct texts.
std::size_t distinct_count(const std::vector<std::string>& texts);

}  // namespace molgauge::domain
