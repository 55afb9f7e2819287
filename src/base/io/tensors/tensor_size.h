#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// Returns the bytes of a tensor whose shape was read from a file. Throws InputError if an extent is negative
/// or the size does not fit in 63 bits. `what`: the start of the message, with the file and the tensor.
std::uint64_t checked_byte_size(DataType type, std::span<const std::int64_t> shape, const std::string& what);

/// Returns a text such as "[3, 4]", for messages.
std::string format_shape(std::span<const std::int64_t> shape);

}  // namespace molgauge::io
