#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Reads an allocation trace or a PyTorch memory snapshot, which differ in their first bytes; each may be
/// gzipped. The first recording is that of `device` (none: where memory ran out, else where most memory was
/// reserved), followed by the other devices of a snapshot. Throws InputError naming the file, the byte and
/// the reason; UsageError where there is no such device.
std::vector<Recording> read_recordings(const std::string& path,
                                       std::optional<std::size_t> device = std::nullopt);

/// As read_recordings(), but only the first recording.
Recording read_recording(const std::string& path, std::optional<std::size_t> device = std::nullopt);

}  // namespace headroom::allocator
