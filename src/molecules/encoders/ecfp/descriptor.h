#pragma once

#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders::ecfp {

EncoderDescriptor descriptor();

}  // namespace molgauge::encoders::ecfp
