#include "fuzzed.h"
#include "molecules/experiments/specification/spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors(
      [&] { molgauge::experiment::read_spec(molgauge::fuzz::file_of(data, size, "fuzzed.toml")); });
}
