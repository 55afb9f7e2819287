#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecules/chem/neighbours.h"

namespace molgauge::encoders::minimol {

/// Returns for each atom the probabilities that a random walk returns to the atom after 1 .. kWalkSteps
/// steps. These are the diagonals of the powers of P = D^-1 A. Row-major [n, kWalkSteps] float32. An atom
/// without neighbours gets zeros. If it is the only atom, it gets ones, as in the training of the network.
///
/// Each power is the previous one times P in float32, summed in ascending order of the atoms with fused
/// multiply-add. The result is therefore bit-identical on all machines.
std::vector<float> return_probabilities(const chem::Neighbours& neighbours);

/// An upper bound of the peak bytes of return_probabilities(), excluding its result.
std::uint64_t return_probability_bytes(std::size_t atoms);

}  // namespace molgauge::encoders::minimol
