#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chem/neighbours.h"

namespace headroom::encoders::minimol {

/// For each atom the probability that a walk which moves to a random neighbour at every step is back after
/// 1 .. kWalkSteps steps: the diagonals of the powers of P = D^-1 A. Row-major [n, kWalkSteps] float32.
/// An atom without neighbours gets zeros, unless it is the only one: then ones, as the network was trained.
///
/// Each power is the one before times P in float32, summed in ascending order of the atoms with fused
/// multiply-add: the result has the same bits everywhere.
std::vector<float> return_probabilities(const chem::Neighbours& neighbours);

/// Bytes that return_probabilities() takes at its peak beside its result, at most.
std::uint64_t return_probability_bytes(std::size_t atoms);

}  // namespace headroom::encoders::minimol
