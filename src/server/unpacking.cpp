#include "server/unpacking.h"

#include <string>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/io/bytes/byte_source.h"
#include "server/exchange.h"

namespace molgauge::serve {
namespace {

constexpr std::uint64_t kWithoutRatio = std::uint64_t{1} << 20;
constexpr std::size_t kUnpackedPiece = std::size_t{64} << 10;

}  // namespace

std::shared_ptr<Body> unpacked(const std::shared_ptr<Body>& body, const UnpackedLimits& limits,
                               const std::function<std::filesystem::path()>& new_place) {
  if (!body->is_packed()) {
    return body;
  }
  const ReadableBody packed(*body);
  const auto source = io::open_byte_source(packed.path(), {.bytes = kWithoutRatio, .ratio = limits.ratio});
  BodyWriter writer(new_place);
  std::string piece(kUnpackedPiece, '\0');
  try {
    while (const std::size_t count = source->read(piece)) {
      if (writer.bytes() + count > limits.bytes) {
        throw Refused(error_answer(
            413, "limit",
            fmt::format("the body unpacks to more than {}, the maximum of this server. Send it in parts",
                        format_bytes(limits.bytes))));
      }
      writer.append({piece.data(), count});
    }
  } catch (const InputError& problem) {
    throw InputError(std::string("the body of the request: ") + problem.what());
  }
  auto plain = writer.finish();
  if (plain->is_packed()) {
    throw InputError("the body of the request is compressed twice. Compress it only once");
  }
  return plain;
}

}  // namespace molgauge::serve
