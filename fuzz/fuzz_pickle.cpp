#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_reader.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const auto bytes = molgauge::fuzz::bytes_of(data, size);
    molgauge::io::read_pickle(*molgauge::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}),
                              {.values = 100'000, .stack = 10'000, .memo = 10'000});
  });
}
