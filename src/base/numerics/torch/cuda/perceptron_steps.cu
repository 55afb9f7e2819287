#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/perceptron_steps.h"

namespace molgauge::torch::cuda {

template int launch(const MaskedRelu&, std::int64_t, void*);
template int launch(const MaskedReluGradient&, std::int64_t, void*);
template int launch_tiles(const ColumnSums&, std::int64_t, void*);

int load_perceptron_steps() {
  const int code = load_steps<MaskedRelu, MaskedReluGradient>();
  return code != 0 ? code : load_tiles<ColumnSums>();
}

}  // namespace molgauge::torch::cuda
