#pragma once

#include "models/encoders/descriptor.h"

namespace headroom::test {

/// The smallest encoder there can be: how many atoms of the first elements a molecule has. Four numbers, and
/// no weights.
encoders::EncoderDescriptor element_counts();

}  // namespace headroom::test
