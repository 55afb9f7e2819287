#pragma once

#include <string>

#include "allocator/recordings/recording.h"
#include "io/bytes/byte_source.h"

namespace headroom::allocator {

/// Reads an allocation trace (docs/formats.md). A trace whose program was killed ends between two chunks or
/// in the midst of one; what is whole is read, and is_complete is false. Throws InputError naming `name`, the
/// byte and the reason when anything else is wrong.
Recording read_trace(io::ByteSource& source, const std::string& name);

}  // namespace headroom::allocator
