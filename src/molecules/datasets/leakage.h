#pragma once

#include <cstddef>
#include <string>

#include "molecules/datasets/ood_benchmark.h"

/// Finds molecules that occur in more than one side of a benchmark. Compares all 15 pairs of sides by
/// BenchmarkMolecule::identity, which is equal for all spellings. Skips molecules without an identity.
///
/// A shared molecule invalidates a result. A test molecule that is also used for training or validation makes
/// the test metrics too good. With a validation molecule in the training set, training selects the wrong
/// epoch. A molecule that is both in and out of distribution has no right answer. The Python project compares
/// only seven of the pairs (is_compared_by_python_project()).
namespace molgauge::datasets {

struct SharedMolecules {
  std::size_t count = 0;  ///< distinct molecules
  std::string examples;   ///< a line for each of the first few molecules of each pair of sides. It begins
                          ///< with "\n  " and gives the positions in both sides
};

/// Whether the Python project refuses a text that occurs in both sides, in either order. The Python project
/// compares train_id with val_id, test_id and train_ood, train_ood with val_ood and test_ood, val_id with
/// val_ood, and test_id with test_ood.
bool is_compared_by_python_project(Side one, Side other);

/// Finds shared molecules in all pairs of sides. `file`: the file name in the examples. Each example says if
/// the Python project accepts this pair of sides.
SharedMolecules find_shared_molecules(OodBenchmark& benchmark, const std::string& file);

/// Throws InputError if molecules are shared. If `accepted` is true, logs a warning instead. The text of the
/// error is `found` ("FILE: 3 molecules are in ..."), the examples, `ways_out`, and the option that accepts
/// shared molecules. The text of the warning is `found`.
void require_accepted(const SharedMolecules& shared, bool accepted, const std::string& found,
                      const std::string& ways_out);

/// The number with its noun and verb: "1 molecule is", "3 molecules are".
std::string molecules_are(std::size_t count);

/// Returns "FILE:LINE", or "FILE" if the line of the molecule is unknown.
std::string place_of(const BenchmarkMolecule& molecule, const std::string& file);

}  // namespace molgauge::datasets
