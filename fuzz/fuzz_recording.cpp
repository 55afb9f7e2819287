// Reads files as allocation traces or PyTorch memory snapshots. A valid recording is explained, drawn,
// simulated, and compared with itself.

#include "fuzzed.h"
#include "memory/allocator/explain/difference.h"
#include "memory/allocator/explain/explanation.h"
#include "memory/allocator/explain/simulation.h"
#include "memory/allocator/recordings/recording_file.h"
#include "pages/memory/explanation_page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    namespace allocator = molgauge::allocator;
    const auto recordings =
        allocator::read_recordings(molgauge::fuzz::file_of(data, size, "recording").string());
    molgauge::ExplainMemoryRequest request;
    request.page = "page.html";  // requests the page, but nothing is written
    request.device = "all";
    allocator::explanation_page(allocator::explain(recordings, request));
    allocator::simulate(recordings.front(), {});
    allocator::difference_between(recordings.front(), recordings.back());
  });
}
