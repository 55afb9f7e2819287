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

/// An upper bound of the peak host bytes for preparing such a record: parsing with RDKit and featurising.
/// Excludes the result (Encoder::featurised_bytes) and the text. It is for one thread, so n threads take n
/// times as much. It does not decrease with more edges or characters. It may decrease with more atoms,
/// because the same number of edges then forms fewer rings.
std::uint64_t record_featurising_bytes(const Encoder& encoder, const RecordSize& record);

}  // namespace headroom::encoders
