#include "base/io/bytes/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/input_descriptor.h"
#include "base/core/files/read_problem.h"
#include "base/core/files/watched_inputs.h"
#include "base/io/bytes/gzip_source.h"

namespace molgauge::io {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

class FileSource final : public ByteSource {
 public:
  explicit FileSource(int descriptor) : descriptor_(descriptor) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) {
      close(descriptor_);
    }
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> target) override {
    wait_until_readable(descriptor_);  // a pipe may have no data for a long time
    while (true) {
      const ssize_t count = ::read(descriptor_, target.data(), target.size());
      if (count >= 0) {
        return static_cast<std::size_t>(count);
      }
      if (errno != EINTR) {
        throw InputError(std::string("cannot read: ") + std::strerror(errno));
      }
    }
  }

 private:
  int descriptor_;
};

/// Checks that a file has the same content in each pass.
class WatchedSource final : public ByteSource {
 public:
  WatchedSource(std::unique_ptr<ByteSource> file, std::unique_ptr<WatchedPass> pass)
      : file_(std::move(file)), pass_(std::move(pass)) {}

  std::size_t read(std::span<char> target) override {
    const std::size_t count = file_->read(target);
    pass_->append(target.first(count));
    if (count == 0 && !target.empty()) {
      pass_->end();
    }
    return count;
  }

 private:
  std::unique_ptr<ByteSource> file_;
  std::unique_ptr<WatchedPass> pass_;
};

// Returns the bytes that were read ahead first, then the rest.
class ResumedSource final : public ByteSource {
 public:
  ResumedSource(std::string start, std::unique_ptr<ByteSource> rest)
      : start_(std::move(start)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> target) override {
    if (start_.empty()) {
      return rest_->read(target);
    }
    const std::size_t count = std::min(start_.size(), target.size());
    std::copy_n(start_.begin(), count, target.begin());
    start_.erase(0, count);
    return count;
  }

 private:
  std::string start_;
  std::unique_ptr<ByteSource> rest_;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const char> content) : rest_(content) {}

  std::size_t read(std::span<char> target) override {
    const std::size_t count = std::min(rest_.size(), target.size());
    std::copy_n(rest_.begin(), count, target.begin());
    rest_ = rest_.subspan(count);
    return count;
  }

 private:
  std::span<const char> rest_;
};

int open_descriptor(const std::string& path) {
  if (path == "-") {
    return STDIN_FILENO;
  }
  const int descriptor = open_for_reading(path);
  if (descriptor < 0) {
    throw read_problem(path, errno);
  }
  return descriptor;
}

/// The first bytes of the file, which are enough to identify gzip. Returns fewer bytes if the file is
/// shorter.
std::string first_bytes(ByteSource& file, const std::string& path) try {
  std::string bytes;
  std::array<char, kGzipMagic.size()> piece;
  while (bytes.size() < kGzipMagic.size()) {
    const std::size_t count = file.read(std::span(piece).first(kGzipMagic.size() - bytes.size()));
    if (count == 0) {
      break;
    }
    bytes.append(piece.data(), count);
  }
  return bytes;
} catch (const InputError& failure) {
  throw InputError(path + ": " + failure.what());
}

std::unique_ptr<ByteSource> open_within(const std::string& path, const std::optional<UnpackLimit>& limit) {
  const int descriptor = open_descriptor(path);
  std::unique_ptr<ByteSource> file = std::make_unique<FileSource>(descriptor);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw InputError(path + ": is a folder. Name a file");
  }
  if (auto pass = WatchedPass::begin(path); pass != nullptr && S_ISREG(status.st_mode)) {
    file = std::make_unique<WatchedSource>(std::move(file), std::move(pass));
  }
  std::string start = first_bytes(*file, path);
  const bool packed = start == kGzipMagic;
  auto whole = std::make_unique<ResumedSource>(std::move(start), std::move(file));
  if (packed) {
    return unpack_gzip(std::move(whole), limit);
  }
  return whole;
}

}  // namespace

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  return open_within(path, std::nullopt);
}

std::unique_ptr<ByteSource> open_byte_source(std::span<const char> content) {
  auto whole = std::make_unique<MemorySource>(content);
  const bool packed = std::string_view(content.data(), content.size()).starts_with(kGzipMagic);
  return packed ? unpack_gzip(std::move(whole), std::nullopt) : std::move(whole);
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path, const UnpackLimit& limit) {
  return open_within(path, limit);
}

std::string read_all(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  // Gzip compresses JSON to a tenth of its size, and blanks to a thousandth.
  constexpr UnpackLimit kMax = {.bytes = std::uint64_t{64} << 20, .ratio = 50};
  const auto source = open_within(path, kMax);
  std::string text;
  try {
    for (std::size_t count = kPiece; count > 0;) {
      const std::size_t end = text.size();
      text.resize(end + kPiece);
      count = source->read(std::span(text).subspan(end));
      text.resize(end + count);
    }
  } catch (const InputError& failure) {
    throw InputError(path + ": " + failure.what());
  }
  return text;
}

}  // namespace molgauge::io
