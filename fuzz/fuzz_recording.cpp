// Allocation traces and PyTorch's memory snapshots, as files; what could be read is explained.

#include "allocator/explain/explanation.h"
#include "allocator/recordings/recording_file.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return headroom::fuzz::allow_input_errors([&] {
    const auto recording =
        headroom::allocator::read_recording(headroom::fuzz::file_of(data, size, "recording").string());
    headroom::allocator::explain(recording, {});
  });
}
