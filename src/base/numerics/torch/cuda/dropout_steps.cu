#include "base/numerics/torch/cuda/dropout_steps.h"
#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"

namespace molgauge::torch::cuda {

template int launch(const PlacedKeys&, std::int64_t, void*);
template int launch(const RowFactors&, std::int64_t, void*);
template int launch(const DroppedRows&, std::int64_t, void*);

int load_dropout_steps() { return load_steps<PlacedKeys, RowFactors, DroppedRows>(); }

}  // namespace molgauge::torch::cuda
