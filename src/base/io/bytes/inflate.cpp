#include "base/io/bytes/inflate.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <zlib.h>

#include "base/core/error.h"

namespace molgauge::io {
namespace {

struct End {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

// The type of counts in zlib has only 32 bits.
template <typename Bytes>
uInt next_piece(Bytes rest) {
  return static_cast<uInt>(std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max()));
}

}  // namespace

bool can_inflate() { return true; }

void inflate_raw(std::span<const std::byte> packed, std::span<std::byte> target, const std::string& what) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    throw Error(what + ": cannot start zlib: out of memory");
  }
  const std::unique_ptr<z_stream, End> end(&stream);
  // zlib requires a target even when there are no bytes to write.
  std::byte nothing{};
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt in = next_piece(packed), out = next_piece(target);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(target.empty() ? &nothing : target.data());
    stream.avail_out = out;
    status = ::inflate(&stream, Z_NO_FLUSH);
    packed = packed.subspan(in - stream.avail_in);
    target = target.subspan(out - stream.avail_out);
  }
  if (status != Z_STREAM_END || !target.empty() || !packed.empty()) {
    throw InputError(what + ": the compressed data are damaged");
  }
}

}  // namespace molgauge::io
