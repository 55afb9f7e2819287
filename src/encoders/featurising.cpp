#include "encoders/featurising.h"

#include <algorithm>

#include "chem/molecule.h"
#include "chem/perceiving_bytes.h"

namespace headroom::encoders {

std::uint64_t record_featurising_bytes(const Encoder& encoder, const RecordSize& record) {
  // RDKit's molecule is gone before the encoder sees the plain structs.
  const std::uint64_t structs = record.atoms * sizeof(chem::Atom) + record.edges / 2 * sizeof(chem::Bond);
  return structs + std::max(chem::perceiving_bytes(record.atoms, record.characters),
                            encoder.featurising_bytes(record.atoms, record.edges));
}

}  // namespace headroom::encoders
