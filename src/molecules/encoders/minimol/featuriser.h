#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "molecules/chem/molecule.h"
#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {

/// Computes the features that the MiniMol network was trained on (Klaser et al. 2024, arXiv:2404.14986):
/// atoms and bonds as numbers and one-hots, Laplacian eigenpairs in the pivot gauge (laplacian.h), and return
/// probabilities of random walks (random_walk.h).
///
/// Throws InputError if there are no atoms, or if a bond or an element is invalid. Thread-safe.
std::unique_ptr<Inputs> featurise(const chem::Molecule& molecule);

/// An upper bound of the peak bytes of featurise(), excluding its result, for a molecule with this many atoms
/// and directed edges.
std::uint64_t featurising_bytes(std::size_t atoms, std::size_t edges);

}  // namespace molgauge::encoders::minimol
