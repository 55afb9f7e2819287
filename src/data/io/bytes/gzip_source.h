#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "data/io/bytes/byte_source.h"

namespace headroom::io {

/// Unpacks gzip, within the limit if there is one. Data that end in the middle are an error; bytes after the
/// last member are one too, but for zeros.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed,
                                        const std::optional<UnpackLimit>& limit = std::nullopt);

}  // namespace headroom::io
