#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/bytes/byte_source.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/trace_range.h"

namespace molgauge::allocator {

/// A recording that is being read: a file, standard input ("-"), or bytes in memory. It may be gzipped.
class OpenedRecording final : public io::ByteSource {
 public:
  explicit OpenedRecording(const std::string& path);
  /// `content` must outlive the object.
  explicit OpenedRecording(std::span<const char> content);

  /// Whether the file begins like an allocation trace or like a snapshot.
  bool is_recording() const;
  /// The first bytes of the recording.
  std::string_view start() const { return {start_.data(), known_}; }
  std::size_t read(std::span<char> target) override;

 private:
  explicit OpenedRecording(std::unique_ptr<io::ByteSource> source);

  std::unique_ptr<io::ByteSource> source_;
  std::array<char, 8> start_{};
  std::size_t known_ = 0, given_ = 0;
};

std::vector<Recording> read_recordings(OpenedRecording& file, const std::string& path,
                                       std::optional<std::size_t> device = std::nullopt,
                                       const TraceRange& range = {});

/// Reads an allocation trace or a PyTorch memory snapshot, which may be gzipped. Recognises the format by the
/// first bytes. The first recording belongs to `device`. The other devices of a snapshot follow. If `device`
/// is empty, the first recording belongs to the device that ran out of memory. If no device did, it belongs
/// to the device with the most reserved memory. Throws InputError that names the file, the byte and the
/// reason if the file is damaged or of another format. Throws UsageError if the device does not exist, and if
/// a range is given for an allocation trace. `range`: the part of each trace of a snapshot to read.
std::vector<Recording> read_recordings(const std::string& path,
                                       std::optional<std::size_t> device = std::nullopt,
                                       const TraceRange& range = {});

/// Returns the first recording of read_recordings().
Recording read_recording(const std::string& path, std::optional<std::size_t> device = std::nullopt);

}  // namespace molgauge::allocator
