#pragma once

#include <c10/core/Device.h>

namespace molgauge::torch {

/// Whether this build has GPU kernels, because nvcc was available.
bool has_steps_of_gpus();

/// Whether operators call our GPU kernels (run_kernel.h) for tensors on this device. On the CPU, this is true
/// while a KernelsOnCpu exists.
bool uses_kernels(c10::Device device);

/// While such an object exists, tensors on the CPU take the code of GPUs, and loops execute the kernels.
/// Tests use this to check the code of GPUs.
class KernelsOnCpu {
 public:
  KernelsOnCpu();
  ~KernelsOnCpu();
  KernelsOnCpu(const KernelsOnCpu&) = delete;
  KernelsOnCpu& operator=(const KernelsOnCpu&) = delete;
};

}  // namespace molgauge::torch
