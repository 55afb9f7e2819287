#include "molecules/encoders/featurising.h"

#include <algorithm>

#include "molecules/chem/molecule.h"
#include "molecules/chem/perceiving_bytes.h"

namespace molgauge::encoders {

std::uint64_t record_featurising_bytes(const Encoder& encoder, const RecordSize& record) {
  // Uses the larger of the two peaks and not their sum, because the molecule of RDKit is freed before the
  // encoder reads the plain structs.
  const auto& [atoms, edges] = record.molecule;
  const std::uint64_t structs =
      atoms * (sizeof(chem::Atom) + sizeof(chem::AtomDetails)) + edges / 2 * sizeof(chem::Bond);
  return structs + std::max(chem::perceiving_bytes(atoms, record.characters),
                            encoder.featurising_bytes(encoder.estimate(record.molecule)));
}

}  // namespace molgauge::encoders
