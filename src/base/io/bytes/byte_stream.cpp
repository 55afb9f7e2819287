#include "base/io/bytes/byte_stream.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::io {

bool ByteStream::at_end() {
  fill(1);
  return ready() == 0;
}

void ByteStream::make_ready(std::uint64_t count, std::uint64_t most) {
  if (count > most) {
    throw InputError(fmt::format("a piece has {} bytes, more than the maximum of {}", count, most));
  }
  fill(static_cast<std::size_t>(count));
  if (count > ready()) {
    throw InputError(
        fmt::format("{} bytes are expected, {} are left. The file is truncated or damaged", count, ready()));
  }
}

std::string_view ByteStream::peek(std::size_t count) {
  fill(count);
  return {buffer_.data() + start_, std::min(count, ready())};
}

void ByteStream::fill(std::size_t count) {
  while (ready() < count) {
    if (start_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + start_, ready());
      end_ -= start_;
      start_ = 0;
    }
    // A claimed size is not trusted. The buffer grows only with the bytes that are actually read.
    buffer_.resize(std::max(buffer_.size(), end_ + kPiece));
    const std::size_t read = source_.read(std::span(buffer_).subspan(end_));
    if (read == 0) {
      return;
    }
    end_ += read;
  }
}

}  // namespace molgauge::io
