// Reads files as allocation traces or PyTorch memory snapshots. A valid recording is explained, drawn,
// simulated, and compared with itself.

#include "fuzzed.h"
#include "memgauge/explain/difference.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/page/explanation_page.h"
#include "memgauge/recordings/recording_file.h"

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
