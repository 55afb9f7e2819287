#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/io/bytes/byte_source.h"

namespace molgauge::io {

/// Unpacks gzip, within the limit if there is one. Truncated data are an error. Bytes after the last member
/// are an error, too, unless they are zero.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed,
                                        const std::optional<UnpackLimit>& limit = std::nullopt);

}  // namespace molgauge::io
