#include "base/io/tensors/good_processed.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors(
      [&] { molgauge::io::read_good_processed(molgauge::fuzz::file_of(data, size, "fuzzed.pt")); });
}
