#include "base/numerics/torch/kernel_choice.h"

#include <atomic>

namespace molgauge::torch {
namespace {

std::atomic<int>& choices_of_gpus() {
  static std::atomic<int> count{0};
  return count;
}

}  // namespace

bool has_steps_of_gpus() {
#if defined(MOLGAUGE_CUDA_KERNELS)
  return true;
#else
  return false;
#endif
}

bool uses_kernels(c10::Device device) {
  return device.is_cpu() ? choices_of_gpus() > 0 : has_steps_of_gpus();
}

KernelsOnCpu::KernelsOnCpu() { ++choices_of_gpus(); }
KernelsOnCpu::~KernelsOnCpu() { --choices_of_gpus(); }

}  // namespace molgauge::torch
