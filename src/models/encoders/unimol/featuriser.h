#pragma once

#include <memory>

#include "chem/molecule.h"
#include "models/encoders/unimol/inputs.h"

namespace headroom::encoders::unimol {

/// Atoms in space as Uni-Mol's network takes them (Zhou et al. 2023, ICLR): elements as tokens, centred by
/// the mean of the atoms' places in float32, distances computed in float64 and rounded. An element that the
/// dictionary does not have is the unknown token.
///
/// From more than `most_atoms` atoms it takes so many, drawn without replacement by
/// numpy.random.default_rng(kCropSeed).choice, in the order that they have in the molecule: the same ones
/// every time. (The published program draws and orders them anew in every run.) Thread safety: any number of
/// calls at once.
std::unique_ptr<Inputs> featurise(const chem::Conformer& conformer, std::size_t most_atoms = kMaxAtoms);

}  // namespace headroom::encoders::unimol
