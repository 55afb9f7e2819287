#include "base/io/tables/drugood_json.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors(
      [&] { molgauge::io::read_drugood_json(molgauge::fuzz::file_of(data, size, "fuzzed.json").string()); });
}
