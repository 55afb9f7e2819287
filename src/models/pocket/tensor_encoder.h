#pragma once

#include <cstdint>

#include <c10/core/Device.h>

#include "models/pocket/network.h"
#include "models/pocket/pocket_encoder.h"

namespace headroom::pocket {

/// The encoder on LibTorch's tensors of a device, without gradients: for GPUs, and on the CPU for plans of
/// the memory on a GPU. Its rows [pockets, output] come back as plain arrays.
PocketEncoder make_tensor_encoder(const EncoderShape& shape, const ParameterReader& read, c10::Device device);

/// Additional bytes of messages on a GPU, compared with tensors on the CPU.
std::uint64_t device_bytes_of_messages();

}  // namespace headroom::pocket
