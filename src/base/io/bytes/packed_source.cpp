#include "base/io/bytes/packed_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ios>
#include <span>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zstd.h>

#include "base/core/error.h"

namespace molgauge::io {
namespace {

namespace streams = boost::iostreams;

enum class Packing { bzip2, xz, zstd, zip };
struct Magic {
  Packing packing;
  std::string_view bytes;
};
constexpr std::array<Magic, 4> kMagic = {{{Packing::bzip2, "BZh"},
                                          {Packing::xz,
                                           {"\xfd"
                                            "7zXZ\0",
                                            6}},
                                          {Packing::zstd, "\x28\xb5\x2f\xfd"},
                                          {Packing::zip, "PK\x03\x04"}}};

/// A device of Boost.Iostreams that reads a ByteSource.
class Device {
 public:
  using char_type = char;
  using category = streams::source_tag;
  Device(std::string* start, ByteSource* rest) : start_(start), rest_(rest) {}

  std::streamsize read(char* to, std::streamsize most) {
    const std::span target(to, static_cast<std::size_t>(most));
    std::size_t count = std::min(start_->size(), target.size());
    if (count > 0) {
      std::copy_n(start_->begin(), count, to);
      start_->erase(0, count);
    } else {
      count = rest_->read(target);
    }
    return count == 0 ? -1 : static_cast<std::streamsize>(count);
  }

 private:
  std::string* start_;
  ByteSource* rest_;
};

class FilteredSource final : public ByteSource {
 public:
  FilteredSource(Packing packing, std::string start, std::unique_ptr<ByteSource> rest)
      : start_(std::move(start)), name_(packing == Packing::bzip2 ? "bzip2" : "xz"), rest_(std::move(rest)) {
    if (packing == Packing::bzip2) {
      stream_.push(streams::bzip2_decompressor());
    } else {
      stream_.push(streams::lzma_decompressor());
    }
    stream_.push(Device(&start_, rest_.get()));
  }

  std::size_t read(std::span<char> target) override {
    try {
      const auto count = stream_.sgetn(target.data(), static_cast<std::streamsize>(target.size()));
      if (count <= 0 && !target.empty()) {
        read_to_the_end();
      }
      return static_cast<std::size_t>(std::max<std::streamsize>(count, 0));
    } catch (const std::ios_base::failure& problem) {
      throw InputError(fmt::format("the {} data are truncated or damaged ({})", name_, problem.what()));
    }
  }

 private:
  /// The filters stop before the last bytes of the file. A change there must be noticed, too.
  void read_to_the_end() {
    std::array<char, 4096> piece{};
    while (rest_->read(piece) > 0) {
    }
  }

  std::string start_, name_;
  std::unique_ptr<ByteSource> rest_;
  streams::filtering_streambuf<streams::input> stream_;
};

/// Boost's filter for zstd accepts some truncated files.
class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::string start, std::unique_ptr<ByteSource> rest)
      : packed_(std::move(start)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> target) override {
    ZSTD_outBuffer out{target.data(), target.size(), 0};
    while (out.pos == 0) {
      const bool is_at_end = place_ == packed_.size() && !refill();
      if (is_at_end && is_frame_complete_) {
        return 0;
      }
      ZSTD_inBuffer in{packed_.data(), packed_.size(), place_};
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(result) != 0) {
        throw InputError(fmt::format("the zstd data are damaged ({})", ZSTD_getErrorName(result)));
      }
      place_ = in.pos;
      is_frame_complete_ = result == 0;
      if (is_at_end && out.pos == 0 && !is_frame_complete_) {
        throw InputError("the zstd data are truncated");
      }
    }
    return out.pos;
  }

 private:
  bool refill() {
    packed_.resize(ZSTD_DStreamInSize());
    packed_.resize(rest_->read(packed_));
    place_ = 0;
    return !packed_.empty();
  }

  std::string packed_;
  std::size_t place_ = 0;
  std::unique_ptr<ByteSource> rest_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_{ZSTD_createDStream(), &ZSTD_freeDStream};
  bool is_frame_complete_ = true;
};

class OwningSource final : public ByteSource {
 public:
  explicit OwningSource(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(std::span<char> target) override {
    const std::size_t count = std::min(bytes_.size() - place_, target.size());
    std::memcpy(target.data(), bytes_.data() + place_, count);
    place_ += count;
    return count;
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t place_ = 0;
};

std::unique_ptr<ByteSource> open_zip(const std::string& start, ByteSource& rest) {
  std::vector<std::byte> bytes(start.size());
  std::memcpy(bytes.data(), start.data(), start.size());
  const std::vector<std::byte> others = all_bytes(rest);
  bytes.insert(bytes.end(), others.begin(), others.end());
  const ZipArchive archive(random_access_in_memory("the archive", std::move(bytes)));
  return source_of(archive.read(zipped_file(archive)));
}

}  // namespace

bool may_be_packed(std::string_view start) {
  return std::ranges::any_of(kMagic, [&](const Magic& magic) {
    return start.starts_with(magic.bytes.substr(0, std::min(start.size(), magic.bytes.size())));
  });
}

std::unique_ptr<ByteSource> open_packed(const std::string& start, std::unique_ptr<ByteSource>& rest) {
  const auto magic =
      std::ranges::find_if(kMagic, [&](const Magic& own) { return start.starts_with(own.bytes); });
  if (magic == kMagic.end()) {
    return nullptr;
  }
  if (magic->packing == Packing::zip) {
    return open_zip(start, *rest);
  }
  if (magic->packing == Packing::zstd) {
    return std::make_unique<ZstdSource>(start, std::move(rest));
  }
  return std::make_unique<FilteredSource>(magic->packing, start, std::move(rest));
}

std::string zipped_file(const ZipArchive& archive) {
  std::vector<std::string> names = archive.names();
  std::erase_if(names, [](const std::string& name) {
    return name.ends_with('/') || name.starts_with("__MACOSX/") || name.ends_with(".DS_Store");
  });
  if (names.size() != 1) {
    throw InputError(names.empty() ? "the archive contains no file"
                                   : fmt::format("the archive contains {} files: {}. Unpack it and name one",
                                                 names.size(), fmt::join(names, ", ")));
  }
  return names.front();
}

std::vector<std::byte> all_bytes(ByteSource& source, std::uint64_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<std::byte> bytes;
  for (std::size_t count = kPiece; count > 0;) {
    const std::size_t end = bytes.size();
    if (end > most) {
      throw InputError(fmt::format("the file has more than {} bytes. Unpack it, or save it as .csv", most));
    }
    bytes.resize(end + kPiece);
    count = source.read({reinterpret_cast<char*>(bytes.data()) + end, kPiece});
    bytes.resize(end + count);
  }
  return bytes;
}

std::unique_ptr<ByteSource> source_of(std::vector<std::byte> bytes) {
  return std::make_unique<OwningSource>(std::move(bytes));
}

}  // namespace molgauge::io
