#pragma once

#include <memory>

#include "chem/molecule.h"
#include "models/encoders/unimol/inputs.h"

namespace headroom::encoders::unimol {

/// Input of the Uni-Mol network (Zhou et al. 2023, ICLR). Elements become tokens. Coordinates are centred by
/// their float32 mean. Distances are computed in float64 and rounded. Elements outside the dictionary become
/// the unknown token.
///
/// From more than `most_atoms` atoms it takes so many, drawn without replacement by
/// numpy.random.default_rng(kCropSeed).choice, in the order that they have in the molecule: the same ones
/// every time. (The published program draws and orders them anew in every run.) Thread safety: any number of
/// calls at once.
std::unique_ptr<Inputs> featurise(const chem::Conformer& conformer, std::size_t most_atoms = kMaxAtoms);

}  // namespace headroom::encoders::unimol
