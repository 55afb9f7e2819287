#include "allocator/recording_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "allocator/snapshot_reader.h"
#include "allocator/trace_format.h"
#include "allocator/trace_reader.h"
#include "core/error.h"
#include "io/bytes/byte_source.h"

namespace headroom::allocator {
namespace {

/// A source whose first bytes were looked at; and whose reasons name the file.
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

}  // namespace

Recording read_recording(const std::string& path, std::optional<std::size_t> device) {
  OpenedFile file(path);
  if (file.start() == kTraceMagic) {
    if (device) {
      throw UsageError(fmt::format("{}: a trace is of one device; leave the device out", path));
    }
    return read_trace(file, path);
  }
  if (!file.start().empty() && file.start().front() == '\x80') {
    SnapshotOptions options;
    options.device = device;
    return read_snapshot(file, path, options);
  }
  throw InputError(
      fmt::format("{}: is neither an allocation trace of headroom nor a memory snapshot of PyTorch "
                  "(torch.cuda.memory._dump_snapshot)",
                  path));
}

}  // namespace headroom::allocator
