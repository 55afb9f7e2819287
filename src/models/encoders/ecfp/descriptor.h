#pragma once

#include "models/encoders/descriptor.h"

namespace headroom::encoders::ecfp {

EncoderDescriptor descriptor();

}  // namespace headroom::encoders::ecfp
