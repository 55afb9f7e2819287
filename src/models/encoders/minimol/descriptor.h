#pragma once

#include "models/encoders/descriptor.h"

namespace headroom::encoders::minimol {

EncoderDescriptor descriptor();

}  // namespace headroom::encoders::minimol
