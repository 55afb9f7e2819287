#include "memgauge/recordings/recording_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/byte_source.h"
#include "base/memory/trace/trace_format.h"
#include "memgauge/recordings/snapshot_reader.h"
#include "memgauge/recordings/trace_reader.h"

namespace molgauge::allocator {
namespace {

std::vector<Recording> read(OpenedRecording& file, const std::string& path, const SnapshotOptions& options) {
  if (file.start() == kTraceMagic) {
    if (options.device) {
      throw UsageError(fmt::format("{}: a trace contains only one device. Leave the device out", path));
    }
    if (!options.range.is_whole()) {
      throw UsageError(
          path + ": --from and --to apply to PyTorch snapshots, not to traces of molgauge. Leave them out");
    }
    std::vector<Recording> recordings;
    recordings.push_back(read_trace(file, path));
    return recordings;
  }
  if (!file.start().empty() && file.start().front() == '\x80') {
    return read_snapshot_devices(file, path, options);
  }
  throw InputError(
      fmt::format("{}: is neither an allocation trace of molgauge nor a memory snapshot of PyTorch "
                  "(torch.cuda.memory._dump_snapshot)",
                  path));
}

}  // namespace

OpenedRecording::OpenedRecording(const std::string& path) : OpenedRecording(io::open_byte_source(path)) {}

OpenedRecording::OpenedRecording(std::span<const char> content)
    : OpenedRecording(io::open_byte_source(content)) {}

OpenedRecording::OpenedRecording(std::unique_ptr<io::ByteSource> source) : source_(std::move(source)) {
  static_assert(kTraceMagic.size() == std::tuple_size_v<decltype(start_)>);
  while (known_ < start_.size()) {
    const std::size_t count = source_->read(std::span(start_).subspan(known_));
    if (count == 0) {
      break;
    }
    known_ += count;
  }
}

bool OpenedRecording::is_recording() const {
  return start() == kTraceMagic || (!start().empty() && start().front() == '\x80');
}

std::size_t OpenedRecording::read(std::span<char> target) {
  if (given_ == known_) {
    return source_->read(target);
  }
  const std::size_t count = std::min(target.size(), known_ - given_);
  std::memcpy(target.data(), start_.data() + given_, count);
  given_ += count;
  return count;
}

std::vector<Recording> read_recordings(OpenedRecording& file, const std::string& path,
                                       std::optional<std::size_t> device, const TraceRange& range) {
  SnapshotOptions options;
  options.device = device;
  options.all_devices = true;
  options.range = range;
  return read(file, path, options);
}

std::vector<Recording> read_recordings(const std::string& path, std::optional<std::size_t> device,
                                       const TraceRange& range) {
  OpenedRecording file(path);
  return read_recordings(file, path, device, range);
}

Recording read_recording(const std::string& path, std::optional<std::size_t> device) {
  SnapshotOptions options;
  options.device = device;
  OpenedRecording file(path);
  return std::move(read(file, path, options).front());
}

}  // namespace molgauge::allocator
