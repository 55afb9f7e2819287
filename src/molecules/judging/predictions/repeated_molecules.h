#pragma once

#include <cstddef>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"

namespace molgauge::domain {

/// The result of merge_repeated().
struct MergedCalibration {
  std::vector<CalibrationMolecule> molecules;
  std::size_t undecided = 0;  ///< molecules without a majority of one class. They are left out
};

/// Merges repeated measurements of a molecule, because they are not independent. The merged molecule has the
/// mean of the measured values and of the predictions. For classes, it has the class of the majority.
/// Molecules with the same non-empty SMILES are the same molecule. The result is sorted by SMILES, so it does
/// not depend on the order of the molecules.
MergedCalibration merge_repeated(const std::vector<CalibrationMolecule>& molecules, bool are_classes);

}  // namespace molgauge::domain
