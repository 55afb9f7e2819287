#pragma once

#include <cstddef>
#include <string>

#include "datasets/ood_benchmark.h"

/// The pairs of sides that must not share a molecule, because a detector would be tested on molecules of its
/// training, or one molecule would be in and out of distribution at once: train_id with val_id, test_id and
/// train_ood; train_ood with val_ood and test_ood; val_id with val_ood; test_id with test_ood. Molecules are
/// compared by BenchmarkMolecule::identity, which finds other spellings, too; those without one are skipped.
namespace headroom::datasets {

struct SharedMolecules {
  std::size_t count = 0;  ///< distinct molecules
  std::string examples;   ///< a line for each of the first few, which names both places; begins with "\n"
};

/// Finds shared molecules. `file`: for the examples.
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
