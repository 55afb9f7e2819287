#include "base/runtime/device_choice.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/runtime/torch_backend.h"

namespace molgauge::runtime {
namespace {

/// Whether the driver library is installed. Without it, no program sees a GPU.
bool has_gpu_driver() {
  static const bool found = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver != nullptr) {
      dlclose(driver);
    }
    return driver != nullptr;
  }();
  return found;
}

}  // namespace

Device parse_device(const std::string& text) {
  if (text == "cpu") {
    return {};
  }
  if (text == "auto") {
    const TorchBackend* const part = has_gpu_driver() ? find_torch_backend().part : nullptr;
    return part != nullptr && part->gpu_count() > 0 ? part->parse_gpu("cuda") : Device{};
  }
  if (text == "cuda" || text.starts_with("cuda:")) {
    return torch_backend().parse_gpu(text);
  }
  throw UsageError(fmt::format("--device {}: no such device. Available: auto, cpu, cuda and cuda:N", text));
}

}  // namespace molgauge::runtime
