#include "fuzzed.h"
#include "models/ood/run/run_results.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The input is a safetensors file with the tensors of a head.
  return headroom::fuzz::allow_input_errors([&] {
    const auto model = headroom::fuzz::file_of(data, size, "best_model.safetensors");
    headroom::ood::load_best_model(model.parent_path(), 4);
  });
}
