#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "models/encoders/registry.h"

namespace headroom::encoders {

/// Like make_encoder() (models/encoders/registry.h), with LibTorch's operators: on a GPU, and on the CPU for
/// plans of the memory on a GPU. Throws UsageError for int8, which only the CPU's kernels have, and for
/// encoders that cannot use a GPU.
std::unique_ptr<Encoder> make_torch_encoder(const std::string& name, const EncoderSettings& settings,
                                            c10::Device device);

}  // namespace headroom::encoders
