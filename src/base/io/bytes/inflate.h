#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace molgauge::io {

/// Returns false in builds without zlib.
bool can_inflate();

/// Unpacks a raw deflate stream (RFC 1951) that fills `target` exactly. Throws InputError, with a text that
/// starts with `what`, if the stream does not fill it exactly, and in builds without zlib.
void inflate_raw(std::span<const std::byte> packed, std::span<std::byte> target, const std::string& what);

}  // namespace molgauge::io
