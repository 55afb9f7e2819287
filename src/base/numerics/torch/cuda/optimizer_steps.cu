#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/optimizer_steps.h"

namespace molgauge::torch::cuda {

template int launch(const AdamWUpdate&, std::int64_t, void*);

int load_optimizer_steps() { return load_steps<AdamWUpdate>(); }

}  // namespace molgauge::torch::cuda
