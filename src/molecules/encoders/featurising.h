#pragma once

#include <cstddef>
#include <cstdint>

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders {

/// The size of a record, estimated from its text.
struct RecordSize {
  MoleculeSize molecule;
  std::size_t characters = 0;  ///< characters of the text
};

/// An upper bound of the peak host bytes for preparing a record of this size: parsing with RDKit and
/// featurising. Excludes the result (Encoder::featurised_bytes) and the text. The bound is for one thread, so
/// n threads need n times as much. It never decreases with the number of edges or characters. It may decrease
/// with the number of atoms: if the number of edges stays constant, more atoms mean fewer rings.
std::uint64_t record_featurising_bytes(const Encoder& encoder, const RecordSize& record);

}  // namespace molgauge::encoders
