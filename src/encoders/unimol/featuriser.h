#pragma once

#include <memory>

#include "chem/molecule.h"
#include "encoders/unimol/inputs.h"

namespace headroom::encoders::unimol {

/// Atoms in space as Uni-Mol's network takes them (Zhou et al. 2023, ICLR): elements as tokens, centred by
/// the mean of the atoms' places in float32, distances computed in float64 and rounded. An element that the
/// dictionary does not have is the unknown token.
///
/// Throws InputError where there are more than kMostAtoms atoms. Thread safety: any number of calls at once.
std::unique_ptr<Inputs> featurise(const chem::Conformer& conformer);

}  // namespace headroom::encoders::unimol
