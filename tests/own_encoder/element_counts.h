#pragma once

#include "molecules/encoders/descriptor.h"

namespace molgauge::test {

/// The smallest possible encoder. It counts the atoms of four elements in a molecule, so a row has four
/// numbers. It has no weights.
encoders::EncoderDescriptor element_counts();

}  // namespace molgauge::test
