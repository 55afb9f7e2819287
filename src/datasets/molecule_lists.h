#pragma once

#include <cstddef>
#include <vector>

#include "core/random/python_random.h"
#include "datasets/ood_benchmark.h"

/// What loaders do with lists of molecules, in the order in which Python's functions leave them.
namespace headroom::datasets {

using Molecules = std::vector<BenchmarkMolecule>;

/// Those at [begin, end).
Molecules slice(const Molecules& molecules, std::size_t begin, std::size_t end);

Molecules at_positions(const Molecules& molecules, const std::vector<std::size_t>& positions);

/// Python's `if len(molecules) > most: molecules = random.sample(molecules, most)`; 0: no limit.
void cut(Molecules& molecules, std::size_t most, PythonRandom& random);

/// Takes the molecules at `positions` out of `molecules`; the others keep their order.
Molecules take(Molecules& molecules, const std::vector<std::size_t>& positions);

/// Shuffles and takes the first half (rounded down).
Molecules take_half(Molecules& molecules, PythonRandom& random);

}  // namespace headroom::datasets
