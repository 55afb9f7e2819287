#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "base/numerics/torch/cuda/launch_tiles.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/tiled_attention.h"

namespace molgauge::torch::cuda {
namespace {

template <typename Number>
int load_for_storage() {
  return load_tiles<TiledAttention<8, Number>, TiledAttention<16, Number>, TiledAttention<32, Number>>();
}

}  // namespace

template int launch_tiles(const TiledAttention<8, float>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<16, float>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<32, float>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<8, c10::Half>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<16, c10::Half>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<32, c10::Half>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<8, c10::BFloat16>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<16, c10::BFloat16>&, std::int64_t, void*);
template int launch_tiles(const TiledAttention<32, c10::BFloat16>&, std::int64_t, void*);

int load_tiled_attention() {
  int code = load_for_storage<float>();
  (void)(code == 0 && (code = load_for_storage<c10::Half>()) == 0 &&
         (code = load_for_storage<c10::BFloat16>()) == 0);
  return code;
}

}  // namespace molgauge::torch::cuda
