#include "base/core/error.h"
#include "base/io/bytes/inflate.h"

namespace molgauge::io {

bool can_inflate() { return false; }

void inflate_raw(std::span<const std::byte>, std::span<std::byte>, const std::string& what) {
  throw InputError(what +
                   ": is compressed, and this build has no zlib. Use a full build, or store it uncompressed");
}

}  // namespace molgauge::io
