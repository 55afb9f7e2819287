#pragma once

#include <map>
#include <string>

#include "base/io/tensors/tensor_data.h"
#include "pockets/graph.h"

/// A pocket as the tensors of a file. The names match the graphs of the Python project:
///
///     x float32 [n, 3]                      charge (e), atomic number, mass (amu), as measured
///     pos float32 [n, 3]                    in Angstrom
///     edge_index int32 [2, bonds]           edge_attr float32 [bonds, 2]: length / 2, force constant / 500
///     triple_index int32 [3, angles]        triple_attr [angles, 2]: angle / pi, force constant / 200
///     quadra_index int32 [4, dihedrals]     quadra_attr [dihedrals, 3]: barrier / 20, periodicity / 6,
///                                           phase / (2 pi)
///     nonbonded_edge_index int32 [2, pairs] nonbonded_edge_attr [pairs, 3]: log(A + 1), log(B + 1), distance
///
/// in Angstrom, kcal/mol and radians.
namespace molgauge::pocket {

/// The tensors of one pocket.
io::TensorMap to_tensors(const Pockets& pocket);

/// Reads a pocket from the tensors of a graph file. Also accepts int64 indices and any floating type. Throws
/// InputError, whose text begins with `what`, if arrange() would refuse the pocket.
Pockets from_tensors(const io::TensorMap& tensors, const std::string& what);

}  // namespace molgauge::pocket
