#include "experiments/specification/spec.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return headroom::fuzz::allow_input_errors(
      [&] { headroom::experiment::read_spec(headroom::fuzz::file_of(data, size, "fuzzed.toml")); });
}
