#include "torch/cuda/message_steps.h"

#include "torch/cuda/launch_steps.cuh"

namespace headroom::torch::cuda {

template void launch(const Contraction&, std::int64_t, void*);
template void launch(const Sums&, std::int64_t, void*);
template void launch(const RadialSlopes&, std::int64_t, void*);
template void launch(const ProductSlopes&, std::int64_t, void*);
template void launch(const RowSums&, std::int64_t, void*);

}  // namespace headroom::torch::cuda
