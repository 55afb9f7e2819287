#pragma once

#include <string>

#include "data/io/bytes/byte_source.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Reads an allocation trace (docs/reference/formats.md). A trace whose program was killed ends between two
/// chunks or within one; complete chunks are read, and is_complete is false. Throws InputError naming `name`,
/// the byte and the reason for any other fault.
Recording read_trace(io::ByteSource& source, const std::string& name);

}  // namespace headroom::allocator
