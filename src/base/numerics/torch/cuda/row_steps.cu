#include "base/numerics/torch/cuda/launch_steps.cuh"
#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/row_steps.h"

namespace molgauge::torch::cuda {

template int launch(const NeighbourSums&, std::int64_t, void*);
template int launch(const SegmentSums&, std::int64_t, void*);
template int launch(const SegmentMaxima&, std::int64_t, void*);
template int launch(const SegmentAddends&, std::int64_t, void*);
template int launch_tiles(const RowNorm&, std::int64_t, void*);

int load_row_steps() {
  const int code = load_steps<NeighbourSums, SegmentSums, SegmentMaxima, SegmentAddends>();
  return code != 0 ? code : load_tiles<RowNorm>();
}

}  // namespace molgauge::torch::cuda
