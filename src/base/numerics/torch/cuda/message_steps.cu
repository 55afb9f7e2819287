#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/message_steps.h"

namespace molgauge::torch::cuda {

template int launch(const Contraction&, std::int64_t, void*);
template int launch(const Sums&, std::int64_t, void*);
template int launch(const ArrangedWeights&, std::int64_t, void*);
template int launch(const SeparatedWeights&, std::int64_t, void*);
template int launch(const OutputRows&, std::int64_t, void*);
template int launch(const OutputGradients&, std::int64_t, void*);
template int launch(const RowSums&, std::int64_t, void*);
template int launch_tiles(const RadialGradients&, std::int64_t, void*);
template int launch_tiles(const ProductGradients&, std::int64_t, void*);

int load_message_steps() {
  const int code = load_steps<Contraction, Sums, ArrangedWeights, SeparatedWeights, OutputRows,
                              OutputGradients, RowSums>();
  return code != 0 ? code : load_tiles<RadialGradients, ProductGradients>();
}

}  // namespace molgauge::torch::cuda
