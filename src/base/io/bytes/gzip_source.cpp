#include "base/io/bytes/gzip_source.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"

namespace molgauge::io {
namespace {

constexpr int kGzipWindow = MAX_WBITS + 16;  // this value makes zlib accept only gzip

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, const std::optional<UnpackLimit>& limit)
      : packed_(std::move(packed)), limit_(limit) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
      throw Error("cannot start zlib: out of memory");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> target) override {
    stream_.next_out = reinterpret_cast<Bytef*>(target.data());
    stream_.avail_out = static_cast<uInt>(target.size());
    while (stream_.avail_out == target.size() && !target.empty()) {
      if (between_members_ ? !start_member() : !refill()) {
        if (between_members_) {
          return 0;
        }
        throw InputError("the gzip data are truncated");
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw InputError(std::string("the gzip data are damaged") +
                         (stream_.msg != nullptr ? std::string(" (") + stream_.msg + ")" : ""));
      }
    }
    const std::size_t count = target.size() - stream_.avail_out;
    unpacked_bytes_ += count;
    require_within_limit();
    return count;
  }

 private:
  // Reads more packed data. Returns false at the end.
  bool refill() {
    if (stream_.avail_in == 0) {
      stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_in = static_cast<uInt>(packed_->read(buffer_));
      packed_bytes_ += stream_.avail_in;
    }
    return stream_.avail_in != 0;
  }

  void require_within_limit() const {
    if (limit_ && unpacked_bytes_ > limit_->bytes &&
        (unpacked_bytes_ - limit_->bytes) / limit_->ratio > packed_bytes_) {
      throw InputError(
          fmt::format("the gzip data unpack to more than {} and {} times their size, which is unusual for "
                      "such a file. If this is correct, unpack it first (gunzip)",
                      format_bytes(limit_->bytes), limit_->ratio));
    }
  }

  // Begins the next gzip member. Returns false if only padding follows.
  bool start_member() {
    while (refill() && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) {
      return false;
    }
    inflateReset(&stream_);
    between_members_ = false;
    return true;
  }

  std::unique_ptr<ByteSource> packed_;
  const std::optional<UnpackLimit> limit_;
  std::uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;
  std::array<char, 1 << 16> buffer_;
  z_stream stream_{};
  bool between_members_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed,
                                        const std::optional<UnpackLimit>& limit) {
  return std::make_unique<GzipSource>(std::move(packed), limit);
}

}  // namespace molgauge::io
