#include "base/numerics/torch/cuda/attention_steps.h"
#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"

namespace molgauge::torch::cuda {

template int launch(const Attend<8>&, std::int64_t, void*);
template int launch(const Attend<16>&, std::int64_t, void*);
template int launch(const Attend<32>&, std::int64_t, void*);
template int launch(const QueryGradients<8>&, std::int64_t, void*);
template int launch(const QueryGradients<16>&, std::int64_t, void*);
template int launch(const QueryGradients<32>&, std::int64_t, void*);
template int launch(const KeyGradients<8>&, std::int64_t, void*);
template int launch(const KeyGradients<16>&, std::int64_t, void*);
template int launch(const KeyGradients<32>&, std::int64_t, void*);

int load_attention_steps() {
  return load_steps<Attend<8>, Attend<16>, Attend<32>, QueryGradients<8>, QueryGradients<16>,
                    QueryGradients<32>, KeyGradients<8>, KeyGradients<16>, KeyGradients<32>>();
}

}  // namespace molgauge::torch::cuda
