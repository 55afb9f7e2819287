#pragma once

#include "encoders/descriptor.h"

namespace headroom::encoders::unimol {

EncoderDescriptor descriptor();

}  // namespace headroom::encoders::unimol
