#pragma once

#include <string>

#include "encoders/descriptor.h"
#include "encoders/installed_weights.h"
#include "encoders/unimol/unimol_encoder.h"

namespace headroom::encoders::unimol {

EncoderDescriptor descriptor();

/// What installed weights are; `tuned`: the fingerprint of layers that replace some of them, or empty.
UnimolOrigin origin_of(const InstalledWeights& installed, std::string tuned = {});

}  // namespace headroom::encoders::unimol
