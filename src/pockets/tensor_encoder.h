#pragma once

#include <cstdint>

#include <c10/core/Device.h>

#include "pockets/network.h"
#include "pockets/pocket_encoder.h"

namespace molgauge::pocket {

/// Creates an encoder on LibTorch tensors of a device, without gradients. It returns the output rows
/// [pockets, output] as plain arrays. It is used on GPUs, and on the CPU to plan GPU memory.
PocketEncoder make_tensor_encoder(const EncoderShape& shape, const ParameterReader& read, c10::Device device);

/// The bytes that the message kernels of a GPU need in addition to the tensors that the CPU also needs.
/// `edges`: the larger number of bonded and non-bonded directed edges.
std::uint64_t device_bytes_of_messages(std::int64_t atoms, std::int64_t edges);

}  // namespace molgauge::pocket
