#pragma once

#include "models/encoders/descriptor.h"

namespace headroom::test {

/// The smallest possible encoder: counts the atoms of four elements in a molecule. It has four numbers and no
/// weights.
encoders::EncoderDescriptor element_counts();

}  // namespace headroom::test
