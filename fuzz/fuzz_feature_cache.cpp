#include "data/io/tensors/feature_cache.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return headroom::fuzz::allow_input_errors([&] {
    const auto bytes = headroom::fuzz::bytes_of(data, size);
    const headroom::io::FeatureCache cache(
        headroom::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}));
    for (std::size_t entry = 0; entry < cache.size(); ++entry) {
      headroom::fuzz::allow_input_errors([&] { cache.row(entry); });
    }
  });
}
