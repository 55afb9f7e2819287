#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/optimizer_steps.h"

namespace molgauge::torch::cuda {

template int launch(const AdamWUpdate&, std::int64_t, void*);
template int launch_tiles(const SquareSums&, std::int64_t, void*);

int load_optimizer_steps() {
  const int code = load_steps<AdamWUpdate>();
  return code != 0 ? code : load_tiles<SquareSums>();
}

}  // namespace molgauge::torch::cuda
