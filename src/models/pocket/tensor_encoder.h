#pragma once

#include <cstdint>

#include <c10/core/Device.h>

#include "models/pocket/network.h"
#include "models/pocket/pocket_encoder.h"

namespace headroom::pocket {

/// The encoder on LibTorch tensors of a device, without gradients. It is for GPUs, and for the CPU to plan
/// GPU memory. Returns its rows [pockets, output] as plain arrays.
PocketEncoder make_tensor_encoder(const EncoderShape& shape, const ParameterReader& read, c10::Device device);

/// The bytes that messages need on a GPU in addition to the tensors that the CPU needs.
std::uint64_t device_bytes_of_messages();

}  // namespace headroom::pocket
