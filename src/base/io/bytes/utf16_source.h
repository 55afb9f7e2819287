#pragma once

#include <memory>
#include <string>

#include "base/io/bytes/byte_source.h"

namespace molgauge::io {

/// Whether a text begins with the byte order mark of UTF-16.
bool begins_utf16(std::string_view start);

/// Converts UTF-16 to UTF-8 without the byte order mark. `start`: the first bytes, which begins_utf16()
/// accepts. `rest`: the bytes after them. Surrogates without a partner become U+FFFD. read() throws
/// InputError if the last character has only one byte.
std::unique_ptr<ByteSource> open_utf16(std::string start, std::unique_ptr<ByteSource> rest);

}  // namespace molgauge::io
