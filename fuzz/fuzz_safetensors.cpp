#include "base/io/bytes/random_access.h"
#include "base/io/tensors/safetensors.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const auto bytes = molgauge::fuzz::bytes_of(data, size);
    molgauge::io::read_safetensors(
        *molgauge::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}));
  });
}
