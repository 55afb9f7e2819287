#pragma once

#include <cstddef>
#include <vector>

#include "base/core/random/python_random.h"
#include "molecules/datasets/ood_benchmark.h"

/// List operations for loaders. They give the same molecules in the same order as the corresponding Python
/// functions.
namespace molgauge::datasets {

using Molecules = std::vector<BenchmarkMolecule>;

/// The molecules at [begin, end).
Molecules slice(const Molecules& molecules, std::size_t begin, std::size_t end);

Molecules at_positions(const Molecules& molecules, const std::vector<std::size_t>& positions);

/// Does the same as `if len(molecules) > most: molecules = random.sample(molecules, most)` in Python. If
/// `most` is 0, there is no limit.
void cut(Molecules& molecules, std::size_t most, PythonRandom& random);

/// Removes the molecules at `positions` and returns them. The remaining molecules keep their order.
Molecules take(Molecules& molecules, const std::vector<std::size_t>& positions);

/// Shuffles the molecules, then removes and returns the first half (rounded down).
Molecules take_half(Molecules& molecules, PythonRandom& random);

}  // namespace molgauge::datasets
