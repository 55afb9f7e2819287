#pragma once

#include <string>

#include "base/io/bytes/byte_source.h"
#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// Reads an allocation trace (docs/reference/formats.md). If the program was killed, the trace ends between
/// two chunks or within one. The complete chunks are read, and is_complete is false. For any other fault,
/// throws InputError that contains `name`, the byte and the reason.
Recording read_trace(io::ByteSource& source, const std::string& name);

}  // namespace molgauge::allocator
