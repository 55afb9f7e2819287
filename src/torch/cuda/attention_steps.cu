#include "torch/cuda/attention_steps.h"

#include "torch/cuda/launch_steps.cuh"

namespace headroom::torch::cuda {

template void launch(const Attend<8>&, std::int64_t, void*);
template void launch(const Attend<16>&, std::int64_t, void*);
template void launch(const Attend<32>&, std::int64_t, void*);
template void launch(const QuerySlopes<8>&, std::int64_t, void*);
template void launch(const QuerySlopes<16>&, std::int64_t, void*);
template void launch(const QuerySlopes<32>&, std::int64_t, void*);
template void launch(const KeySlopes<8>&, std::int64_t, void*);
template void launch(const KeySlopes<16>&, std::int64_t, void*);
template void launch(const KeySlopes<32>&, std::int64_t, void*);

}  // namespace headroom::torch::cuda
