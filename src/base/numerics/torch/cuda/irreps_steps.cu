#include "base/numerics/torch/cuda/irreps_steps.h"
#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"

namespace molgauge::torch::cuda {

template int launch(const ChannelMix&, std::int64_t, void*);
template int launch(const Gate&, std::int64_t, void*);
template int launch(const GateGradients&, std::int64_t, void*);
template int launch(const ChannelNorms&, std::int64_t, void*);
template int launch(const ChannelNormGradients&, std::int64_t, void*);
template int launch(const EdgeGeometry&, std::int64_t, void*);
template int launch(const TermMeans&, std::int64_t, void*);
template int launch(const TermMeanGradients&, std::int64_t, void*);
template int launch(const TermEnds&, std::int64_t, void*);
template int launch(const TermEndGradients&, std::int64_t, void*);
template int launch_tiles(const MixGradients&, std::int64_t, void*);

int load_irreps_steps() {
  const int code = load_steps<ChannelMix, Gate, GateGradients, ChannelNorms, ChannelNormGradients,
                              EdgeGeometry, TermMeans, TermMeanGradients, TermEnds, TermEndGradients>();
  return code != 0 ? code : load_tiles<MixGradients>();
}

}  // namespace molgauge::torch::cuda
