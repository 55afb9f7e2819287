#pragma once

#include <string>

#include "molecules/encoders/descriptor.h"
#include "molecules/encoders/installed_weights.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge::encoders::unimol {

EncoderDescriptor descriptor();

/// Describes installed weights. `tuned`: the fingerprint of tuned layers that replace some of the weights, or
/// empty.
UnimolOrigin origin_of(const InstalledWeights& installed, std::string tuned = {});

/// Throws UsageError for an unknown fallback.
UnimolChoice choice_of(const PlacementOptions& placement, ops::Precision precision = ops::Precision::fp32,
                       const AtomPairChoice& fine = {});

}  // namespace molgauge::encoders::unimol
