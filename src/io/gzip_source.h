#pragma once

#include <memory>

#include "io/byte_source.h"

namespace headroom::io {

/// Unpacks gzip. Data that end in the middle are an error; bytes after the last member are one too, but for
/// zeros.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed);

}  // namespace headroom::io
