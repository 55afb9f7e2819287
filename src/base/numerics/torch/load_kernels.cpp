#include "base/numerics/torch/load_kernels.h"

#ifdef MOLGAUGE_CUDA_KERNELS
#include <array>
#include <mutex>

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAMacros.h>
#include <cuda_runtime_api.h>

#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda_errors.h"

namespace molgauge::torch {

void load_kernels(c10::Device gpu) {
  static std::array<std::once_flag, C10_COMPILE_TIME_MAX_GPUS> loaded;
  std::call_once(loaded.at(static_cast<std::size_t>(gpu.index())), [&] {
    const c10::cuda::CUDAGuard guard(gpu);
    for (const auto load : {cuda::load_attention_steps, cuda::load_dropout_steps, cuda::load_irreps_steps,
                            cuda::load_message_steps, cuda::load_optimizer_steps, cuda::load_packed_attention,
                            cuda::load_perceptron_steps, cuda::load_row_steps, cuda::load_tiled_attention}) {
      const int code = load();
      if (code == cudaErrorMemoryAllocation) {
        require_success(code);
      }
    }
  });
}

}  // namespace molgauge::torch
#endif
