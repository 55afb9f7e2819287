#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "encoders/registry.h"

namespace headroom::encoders {

/// As make_encoder() (encoders/registry.h), by LibTorch's operators: on a GPU, and on the CPU for plans of
/// what a GPU will hold. Throws UsageError for int8, which is for the CPU's kernels, and for encoders that
/// have no use for a GPU.
std::unique_ptr<Encoder> make_torch_encoder(const std::string& name, const EncoderSettings& settings,
                                            c10::Device device);

}  // namespace headroom::encoders
