#include "base/io/tensors/tensor_size.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"

namespace molgauge::io {

std::uint64_t checked_byte_size(DataType type, std::span<const std::int64_t> shape, const std::string& what) {
  auto size = static_cast<std::int64_t>(element_size(type));
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw InputError(what + ": the shape " + format_shape(shape) +
                       " has a negative extent. The file is damaged");
    }
    if (extent == 0) {
      empty = true;
    } else if (size > std::numeric_limits<std::int64_t>::max() / extent) {
      throw InputError(what + ": the shape " + format_shape(shape) + " is too large. The file is damaged");
    } else {
      size *= extent;
    }
  }
  return empty ? 0 : static_cast<std::uint64_t>(size);
}

std::string format_shape(std::span<const std::int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

}  // namespace molgauge::io
