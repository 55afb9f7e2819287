#pragma once

#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders::minimol {

EncoderDescriptor descriptor();

}  // namespace molgauge::encoders::minimol
