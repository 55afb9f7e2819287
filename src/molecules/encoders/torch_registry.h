#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "molecules/encoders/registry.h"

namespace molgauge::encoders {

/// Makes an encoder in the same way as make_encoder() (molecules/encoders/registry.h), but with LibTorch
/// operators. It runs on a GPU, or on the CPU to plan GPU memory. Throws UsageError for int8, which only the
/// CPU kernels support, and for encoders that cannot use a GPU.
std::unique_ptr<Encoder> make_torch_encoder(const std::string& name, const EncoderSettings& settings,
                                            c10::Device device);

}  // namespace molgauge::encoders
