#pragma once

#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders::elements {

/// Numbers of atoms of the elements 0 to 127.
EncoderDescriptor descriptor();

}  // namespace molgauge::encoders::elements
