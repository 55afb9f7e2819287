#pragma once

#include <cstddef>
#include <cstdint>

#include "models/encoders/encoder.h"

namespace headroom::encoders {

/// The size of a record, estimated from its text.
struct RecordSize {
  MoleculeSize molecule;
  std::size_t characters = 0;  ///< characters of its text
};

/// Bytes on the host that it takes at its peak to make such a record ready for the encoder, reading it with
/// RDKit included, beside the result (Encoder::featurised_bytes) and the text itself: an upper bound for one
/// thread, so that as many threads as featurise side by side take so much each. Never less for more
/// edges or characters; for more atoms with as many edges there are fewer rings, so it may be.
std::uint64_t record_featurising_bytes(const Encoder& encoder, const RecordSize& record);

}  // namespace headroom::encoders
