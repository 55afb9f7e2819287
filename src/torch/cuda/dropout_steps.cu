#include "torch/cuda/dropout_steps.h"

#include "torch/cuda/launch_steps.cuh"

namespace headroom::torch::cuda {

template void launch(const RowFactors&, std::int64_t, void*);

}  // namespace headroom::torch::cuda
