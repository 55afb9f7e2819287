// Reads the bytes as events of an allocation trace with a valid checksum, and replays them on a small card.

#include <string>

#include "base/memory/trace/trace_chunk.h"
#include "fuzzed.h"
#include "memgauge/recordings/recording_file.h"
#include "memgauge/recordings/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace molgauge::allocator;
  return molgauge::fuzz::allow_input_errors([&] {
    const std::string events(reinterpret_cast<const char*>(data), size);
    const std::string trace = std::string(kTraceMagic) + std::string("\x01\0\0\0\0\0\0\0", 8) +
                              seal_chunk(ChunkKind::settings, 0, 0, std::string("\0\0", 2)) +
                              seal_chunk(ChunkKind::events, 1, 0, events);
    const auto path =
        molgauge::fuzz::file_of(reinterpret_cast<const std::uint8_t*>(trace.data()), trace.size(), "trace");
    const Recording recording = read_recording(path.string());
    ReplayOptions options;
    options.capacity = 256 * kMebibyte;
    replay(recording, options);
    options.settings = parse_allocator_settings("expandable_segments:True");
    replay(recording, options);
  });
}
