#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "allocator/recording.h"

namespace headroom::allocator {

/// Reads an allocation trace or a PyTorch memory snapshot, told apart by their first bytes; each may be
/// gzipped. `device`: of a snapshot of several; none: the busiest. Throws InputError naming the file, the
/// byte and the reason.
Recording read_recording(const std::string& path, std::optional<std::size_t> device = std::nullopt);

}  // namespace headroom::allocator
