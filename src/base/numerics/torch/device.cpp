#include "base/numerics/torch/device.h"

#include <charconv>
#include <cstdlib>
#include <mutex>

#include <ATen/Context.h>
#include <fmt/format.h>

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#endif

#include "base/core/error.h"
#include "base/core/session/log.h"
#ifdef MOLGAUGE_CUDA_KERNELS
#include "base/numerics/torch/load_kernels.h"
#endif
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

constexpr std::string_view kIndexedGpu = "cuda:";

std::size_t parse_gpu_number(const std::string& text) {
  unsigned number = 0;
  const char* const begin = text.data() + kIndexedGpu.size();
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(begin, end, number);
  if (failure != std::errc() || stop != end) {
    throw UsageError(
        fmt::format("--device {}: the colon must be followed by the number of a GPU, as in cuda:0", text));
  }
  return number;
}

c10::Device gpu(const std::string& text, std::size_t number) {
  if (!at::hasCUDA()) {
    throw Error(
        fmt::format("--device {}: this LibTorch was built without CUDA. Use --device cpu, or build against "
                    "one with CUDA (CMAKE_PREFIX_PATH)",
                    text));
  }
  const std::size_t count = gpu_count();
  if (number >= count) {
    throw Error(fmt::format("--device {}: there {}. Use --device cpu or --device auto", text,
                            count == 0   ? "is not a GPU that CUDA can use"
                            : count == 1 ? "is one GPU, cuda:0"
                                         : fmt::format("are GPUs cuda:0 to cuda:{}", count - 1)));
  }
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(number)};
}

void warn_of_slow_products() {
  static std::once_flag warned;
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (const char* const value = std::getenv("CUBLAS_WORKSPACE_CONFIG")) {
    std::call_once(warned, [value] {
      log_warning(
          "CUBLAS_WORKSPACE_CONFIG={} makes small matrix products on a GPU slow. Results repeat without it, "
          "so "
          "unset it",
          value);
    });
  }
}

}  // namespace

std::size_t gpu_count() { return at::hasCUDA() ? at::getNumGPUs() : 0; }

c10::Device indexed(c10::Device device) {
  if (!device.is_cuda() || device.has_index()) {
    return device;
  }
#ifdef MOLGAUGE_WITH_CUDA
  if (c10::cuda::device_count() > 0) {
    return {c10::DeviceType::CUDA, c10::cuda::current_device()};
  }
#endif
  return {c10::DeviceType::CUDA, 0};
}

#ifdef MOLGAUGE_WITH_CUDA
namespace {

/// Writes the warnings of LibTorch to the log. For example, LibTorch warns in the first backward pass that it
/// makes the CUDA context current, which is not a problem.
class LoggedWarnings final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { log_debug("LibTorch: {}", warning.msg()); }
};

void log_warnings() {
  static LoggedWarnings handler;
  c10::WarningUtils::set_warning_handler(&handler);
}

}  // namespace
#else
static void log_warnings() {}
#endif

void start_device(c10::Device device) {
  if (!device.is_cuda()) {
    return;
  }
  log_warnings();
  warn_of_slow_products();
  start_cuda();
#ifdef MOLGAUGE_CUDA_KERNELS
  load_kernels(indexed(device));
#endif
}

#ifdef MOLGAUGE_WITH_CUDA
bool multiplies_bf16(c10::Device device) {
  constexpr int kAmpere = 8;
  int capability = 0;
  return device.is_cuda() &&
         cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, indexed(device).index()) ==
             cudaSuccess &&
         capability >= kAmpere;
}
#else
bool multiplies_bf16(c10::Device /*device*/) { return false; }
#endif

c10::Device to_c10(Device device) {
  return device.is_gpu() ? c10::Device(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(device.gpu))
                         : c10::Device(c10::DeviceType::CPU);
}

c10::Device parse_gpu(const std::string& text) {
  if (text == "cuda") {
    return gpu(text, 0);
  }
  if (text.starts_with(kIndexedGpu)) {
    return gpu(text, parse_gpu_number(text));
  }
  throw UsageError(fmt::format("--device {}: a GPU is cuda or cuda:N", text));
}

}  // namespace molgauge::torch
