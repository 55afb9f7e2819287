#pragma once

#include <memory>

#include "molecules/chem/molecule.h"
#include "molecules/encoders/unimol/inputs.h"

namespace molgauge::encoders::unimol {

/// Makes the input of the Uni-Mol network (Zhou et al. 2023, ICLR). Elements become tokens. The float32 mean
/// of the coordinates is subtracted. Distances are computed in float64 and rounded. Elements outside the
/// dictionary become the unknown token.
///
/// If there are more than `most_atoms` atoms, draws this number of them without replacement with
/// numpy.random.default_rng(kCropSeed).choice. The drawn atoms keep their order and are the same in every
/// run. (The published program draws and orders them differently in every run.) Thread-safe.
std::unique_ptr<Inputs> featurise(const chem::Conformer& conformer, std::size_t most_atoms = kMaxAtoms);

}  // namespace molgauge::encoders::unimol
