#pragma once

#include <cstddef>
#include <string>

#include "data/datasets/ood_benchmark.h"

/// Finds molecules that stand in more than one side of a benchmark. All 15 pairs of sides are compared, by
/// BenchmarkMolecule::identity, which finds other spellings. Molecules without an identity are skipped.
///
/// Each pair invalidates a figure: training with test and validation with test make the test figures too
/// good, training with validation chooses the wrong epoch, and a molecule that is in and out of distribution
/// has no right answer. The Python project compares seven of the pairs (is_compared_by_python_project()).
namespace headroom::datasets {

struct SharedMolecules {
  std::size_t count = 0;  ///< distinct molecules
  std::string examples;   ///< a line for each of the first few, which names both places; begins with "\n"
};

/// Whether the Python project refuses a text that stands in both sides, in either order. It compares train_id
/// with val_id, test_id and train_ood, train_ood with val_ood and test_ood, val_id with val_ood, and test_id
/// with test_ood.
bool is_compared_by_python_project(Side one, Side other);

/// Finds shared molecules in all pairs of sides. `file`: for the examples. An example of a pair that the
/// Python project accepts says so.
SharedMolecules find_shared_molecules(OodBenchmark& benchmark, const std::string& file);

/// Throws InputError unless no molecule is shared, or sharing was `accepted`, which logs a warning. The text
/// is `found` ("FILE: 3 molecules stand in ..."), the examples, `ways_out`, and the option that accepts.
void require_accepted(const SharedMolecules& shared, bool accepted, const std::string& found,
                      const std::string& ways_out);

/// "1 molecule stands", "3 molecules stand".
std::string molecules_stand(std::size_t count);

/// "FILE:LINE"; "FILE" where the molecule has no line.
std::string place_of(const BenchmarkMolecule& molecule, const std::string& file);

}  // namespace headroom::datasets
