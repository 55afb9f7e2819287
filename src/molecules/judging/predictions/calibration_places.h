#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/saved_domain.h"

namespace molgauge::domain {

struct PlacedMolecule {
  PredictionPlace place;
  bool in_training = false;
};

/// Compares calibration molecules with the training set. A molecule that is not in the training set is
/// compared like a candidate. Training molecules are divided by scaffold into five folds. A training molecule
/// is compared with the training molecules of the other folds, because its prediction comes from a model that
/// did not see its scaffold. Its scaffold therefore counts as new. `canonical_smiles`, `scaffolds`: one for
/// each molecule.
std::vector<PlacedMolecule> place_calibration(const SavedDomain& saved, const Molecules& molecules,
                                              const std::vector<std::string>& canonical_smiles,
                                              const std::vector<std::string>& scaffolds, const Levels& levels,
                                              std::size_t threads);

}  // namespace molgauge::domain
