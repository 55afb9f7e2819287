#include "fuzzed.h"
#include "molecules/ood/run/run_results.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The input is a safetensors file with the tensors of a head.
  return molgauge::fuzz::allow_input_errors([&] {
    const auto model = molgauge::fuzz::file_of(data, size, "best_model.safetensors");
    molgauge::ood::load_best_model(model.parent_path(), 4);
  });
}
