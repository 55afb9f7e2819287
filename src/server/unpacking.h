#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "server/body.h"

namespace molgauge::serve {

struct UnpackedLimits {
  std::uint64_t bytes = 0;  ///< maximum bytes of the unpacked content
  std::uint64_t ratio = 0;  ///< maximum ratio of unpacked to packed bytes. It applies above 1 MiB
};

/// Returns the body, or the unpacked content of a gzip body within limits. `new_place`: returns the path of a
/// new file.
///
/// Does not unpack twice: if the unpacked content is gzip again, the body is refused. Throws Refused with 413
/// at the size limit, and InputError if the data are damaged or their ratio is above the limit.
std::shared_ptr<Body> unpacked(const std::shared_ptr<Body>& body, const UnpackedLimits& limits,
                               const std::function<std::filesystem::path()>& new_place);

}  // namespace molgauge::serve
