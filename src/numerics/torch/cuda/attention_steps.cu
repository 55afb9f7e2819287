#include "numerics/torch/cuda/attention_steps.h"
#include "numerics/torch/cuda/launch_steps.cuh"
#include "numerics/torch/cuda/load_kernels.h"

namespace headroom::torch::cuda {

template int launch(const Attend<8>&, std::int64_t, void*);
template int launch(const Attend<16>&, std::int64_t, void*);
template int launch(const Attend<32>&, std::int64_t, void*);
template int launch(const QuerySlopes<8>&, std::int64_t, void*);
template int launch(const QuerySlopes<16>&, std::int64_t, void*);
template int launch(const QuerySlopes<32>&, std::int64_t, void*);
template int launch(const KeySlopes<8>&, std::int64_t, void*);
template int launch(const KeySlopes<16>&, std::int64_t, void*);
template int launch(const KeySlopes<32>&, std::int64_t, void*);

int load_attention_steps() {
  return load_steps<Attend<8>, Attend<16>, Attend<32>, QuerySlopes<8>, QuerySlopes<16>, QuerySlopes<32>,
                    KeySlopes<8>, KeySlopes<16>, KeySlopes<32>>();
}

}  // namespace headroom::torch::cuda
