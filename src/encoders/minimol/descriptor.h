#pragma once

#include "encoders/descriptor.h"

namespace headroom::encoders::minimol {

EncoderDescriptor descriptor();

}  // namespace headroom::encoders::minimol
