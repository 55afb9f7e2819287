#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headroom::io {

/// False in builds without zlib.
bool can_inflate();

/// Unpacks a raw deflate stream (RFC 1951) that fills `target` exactly. Throws InputError, its text starting
/// with `what`, when it does not, and in builds without zlib.
void inflate_raw(std::span<const std::byte> packed, std::span<std::byte> target, const std::string& what);

}  // namespace headroom::io
