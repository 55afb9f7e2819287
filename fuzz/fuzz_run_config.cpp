#include "fuzzed.h"
#include "molecules/ood/run/run_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const auto config = molgauge::fuzz::file_of(data, size, "config.json");
    molgauge::ood::read_run_config(config.parent_path());
  });
}
