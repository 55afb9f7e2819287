#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "serve/body.h"

namespace headroom::serve {

struct UnpackedLimits {
  std::uint64_t bytes = 0;  ///< of the content
  std::uint64_t ratio = 0;  ///< of content to packed bytes, once there is more than 1 MiB
};

/// The body itself, or the unpacked content of a gzip body, which is read within limits. `new_place` gives
/// the path of a file.
///
/// Nothing behind this function unpacks: content that is gzip again is refused. Throws Refused with 413 at
/// the size limit, and InputError if the data are damaged or their ratio is above the limit.
std::shared_ptr<Body> unpacked(const std::shared_ptr<Body>& body, const UnpackedLimits& limits,
                               const std::function<std::filesystem::path()>& new_place);

}  // namespace headroom::serve
