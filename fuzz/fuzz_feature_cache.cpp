#include "base/io/tensors/feature_cache.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const auto bytes = molgauge::fuzz::bytes_of(data, size);
    const molgauge::io::FeatureCache cache(
        molgauge::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}));
    for (std::size_t entry = 0; entry < cache.size(); ++entry) {
      molgauge::fuzz::allow_input_errors([&] { cache.row(entry); });
    }
  });
}
