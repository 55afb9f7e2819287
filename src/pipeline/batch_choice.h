#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "encoders/encoder.h"

namespace headroom::pipeline {

/// Bytes that encoding may take beyond what is taken already.
struct EncodingRoom {
  std::uint64_t host = 0;               ///< tensors included where no device is used
  std::optional<std::uint64_t> device;  ///< of the GPU that encodes; nothing: the CPU does
};

/// How molecules are encoded within that room.
struct BatchChoice {
  std::size_t workers = 1;                         ///< batches in flight
  std::size_t batch_atoms = 1;                     ///< most atoms in each
  std::uint64_t host_bytes = 0, device_bytes = 0;  ///< what that takes at most
  bool operator==(const BatchChoice&) const = default;
};

/// Tensors of a batch of so many atoms at their peak, in molecules of the usual size.
std::uint64_t projected_batch_bytes(const encoders::Encoder& encoder, std::size_t atoms);

/// The fastest choice that fits: as many workers as are wanted with the usual batches, else smaller batches,
/// else fewer workers with batches that are large enough to be worth a worker, and one worker with the
/// smallest batches at last. Nothing when that does not fit either. More room never gives fewer workers.
///
/// `batch_atoms`: forced; 0: chosen here.
std::optional<BatchChoice> choose_batches(const encoders::Encoder& encoder, const EncodingRoom& room,
                                          std::size_t workers, std::size_t batch_atoms);

/// The smallest there is: one worker, and small batches unless they are forced.
BatchChoice smallest_choice(const encoders::Encoder& encoder, bool on_device, std::size_t batch_atoms);

}  // namespace headroom::pipeline
