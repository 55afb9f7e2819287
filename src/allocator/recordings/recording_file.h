#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "allocator/recordings/recording.h"

namespace headroom::allocator {

/// Reads an allocation trace or a PyTorch memory snapshot, told apart by their first bytes; each may be
/// gzipped. The first recording is that of `device` (none: where memory ran out, else where the most was
/// reserved), the others of a snapshot follow. Throws InputError naming the file, the byte and the reason;
/// UsageError where there is no such device.
std::vector<Recording> read_recordings(const std::string& path,
                                       std::optional<std::size_t> device = std::nullopt);

/// The first of them alone.
Recording read_recording(const std::string& path, std::optional<std::size_t> device = std::nullopt);

}  // namespace headroom::allocator
