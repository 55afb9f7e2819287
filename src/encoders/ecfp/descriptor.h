#pragma once

#include "encoders/descriptor.h"

namespace headroom::encoders::ecfp {

EncoderDescriptor descriptor();

}  // namespace headroom::encoders::ecfp
