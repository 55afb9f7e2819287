#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// Bytes of a tensor whose shape comes from a file. Throws InputError, with a text that starts with `what`
/// (the file and the tensor), for a negative extent or a size that does not fit in 63 bits.
std::uint64_t checked_byte_size(DataType type, std::span<const std::int64_t> shape, const std::string& what);

/// "[3, 4]", for messages.
std::string format_shape(std::span<const std::int64_t> shape);

}  // namespace headroom::io
