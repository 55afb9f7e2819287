#include "memory/allocator/recordings/recording_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/error.h"
#include "data/io/bytes/byte_source.h"
#include "memory/allocator/recordings/snapshot_reader.h"
#include "memory/allocator/recordings/trace_format.h"
#include "memory/allocator/recordings/trace_reader.h"

namespace headroom::allocator {
namespace {

/// A source whose first bytes have been read already, and whose errors name the file.
class OpenedFile final : public io::ByteSource {
 public:
  explicit OpenedFile(const std::string& path) : source_(io::open_byte_source(path)) {
    while (known_ < start_.size()) {
      const std::size_t count = source_->read(std::span(start_).subspan(known_));
      if (count == 0) {
        break;
      }
      known_ += count;
    }
  }

  std::string_view start() const { return {start_.data(), known_}; }

  std::size_t read(std::span<char> target) override {
    if (given_ == known_) {
      return source_->read(target);
    }
    const std::size_t count = std::min(target.size(), known_ - given_);
    std::memcpy(target.data(), start_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  std::unique_ptr<io::ByteSource> source_;
  std::array<char, kTraceMagic.size()> start_{};
  std::size_t known_ = 0, given_ = 0;
};

std::vector<Recording> read(const std::string& path, const SnapshotOptions& options) {
  OpenedFile file(path);
  if (file.start() == kTraceMagic) {
    if (options.device) {
      throw UsageError(fmt::format("{}: a trace is of one device; leave the device out", path));
    }
    std::vector<Recording> recordings;
    recordings.push_back(read_trace(file, path));
    return recordings;
  }
  if (!file.start().empty() && file.start().front() == '\x80') {
    return read_snapshot_devices(file, path, options);
  }
  throw InputError(
      fmt::format("{}: is neither an allocation trace of headroom nor a memory snapshot of PyTorch "
                  "(torch.cuda.memory._dump_snapshot)",
                  path));
}

}  // namespace

std::vector<Recording> read_recordings(const std::string& path, std::optional<std::size_t> device) {
  SnapshotOptions options;
  options.device = device;
  options.all_devices = true;
  return read(path, options);
}

Recording read_recording(const std::string& path, std::optional<std::size_t> device) {
  SnapshotOptions options;
  options.device = device;
  return std::move(read(path, options).front());
}

}  // namespace headroom::allocator
