#include "fuzzed.h"
#include "io/pickle_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return headroom::fuzz::allow_input_errors([&] {
    headroom::io::read_pickle(headroom::fuzz::bytes_of(data, size), "fuzzed",
                              {.values = 100'000, .stack = 10'000, .memo = 10'000});
  });
}
