#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "base/numerics/torch/cuda/lanes.h"
#include "base/numerics/torch/cuda/load_kernel.cuh"
#include "base/numerics/torch/cuda/load_kernels.h"
#include "base/numerics/torch/cuda/packed_attention.h"

namespace molgauge::torch::cuda {
namespace {

constexpr std::int64_t kMaxShared = 48 * 1024;
constexpr std::int64_t kMaxThreads = 1024;

/// Each block processes the first token of one molecule. A block has a thread for each head and each part of
/// the keys.
template <int kDepth, typename Number>
__global__ void attend(AttentionLaunch launch) {
  extern __shared__ unsigned char shared[];
  auto* const parts = reinterpret_cast<AttentionOutput<kDepth>*>(shared);
  const std::int64_t head = threadIdx.x, heads = launch.heads, molecule = blockIdx.x;
  const std::int64_t begin = launch.first[molecule];
  const MoleculeView<Number> view{
      static_cast<const Number*>(launch.joint) + begin * 3 * kDepth * heads,
      static_cast<const Number*>(launch.before) + launch.first_pair[molecule] * heads,
      /*after=*/nullptr,
      launch.first[molecule + 1] - begin,
      heads,
      launch.scale};
  parts[threadIdx.y * heads + head] =
      attend_part<kDepth>(view, /*query=*/0, head, static_cast<int>(threadIdx.y));
  __syncthreads();
  if (threadIdx.y == 0) {
    AttentionOutput<kDepth> whole = parts[head];
    for (int part = 1; part < kKeyParts; ++part) {
      whole.join(parts[part * heads + head]);
    }
    write_attended(whole, molecule, head, heads, static_cast<Number*>(launch.out));
  }
}

/// Each block processes one token and its pairs with all tokens of the molecule. The threads divide the
/// Gaussian functions among them.
template <typename Number>
__global__ void gaussians(GaussianLaunch launch) {
  const std::int64_t row = blockIdx.x, molecule = launch.of[row], begin = launch.first[molecule];
  const std::int64_t tokens = launch.first[molecule + 1] - begin;
  const std::int64_t first_pair = launch.first_pair[molecule] + (row - begin) * tokens;
  for (std::int64_t key = 0; key < tokens; ++key) {
    const std::int64_t kind = launch.tokens[row] * launch.dictionary + launch.tokens[begin + key];
    for (std::int64_t k = threadIdx.x; k < launch.kernels; k += blockDim.x) {
      static_cast<Number*>(launch.out)[(first_pair + key) * launch.kernels + k] = static_cast<Number>(
          gaussian(launch.factors[kind], launch.offsets[kind], launch.distances[first_pair + key],
                   launch.means[k], launch.widths[k]));
    }
  }
}

template <int kDepth, typename Number>
int start(const AttentionLaunch& launch, cudaStream_t stream) {
  const dim3 threads(static_cast<unsigned>(launch.heads), kKeyParts);
  const std::size_t shared =
      sizeof(AttentionOutput<kDepth>) * kKeyParts * static_cast<std::size_t>(launch.heads);
  attend<kDepth, Number><<<static_cast<unsigned>(launch.molecules), threads, shared, stream>>>(launch);
  return static_cast<int>(cudaGetLastError());
}

template <typename Number>
int start(const AttentionLaunch& launch, cudaStream_t stream) {
  switch (launch.depth) {
    case 8:
      return start<8, Number>(launch, stream);
    case 16:
      return start<16, Number>(launch, stream);
    case 32:
      return start<32, Number>(launch, stream);
    default:
      return static_cast<int>(cudaErrorInvalidValue);
  }
}

template <typename Number>
int start(const GaussianLaunch& launch, cudaStream_t stream) {
  gaussians<Number><<<static_cast<unsigned>(launch.n), 128, 0, stream>>>(launch);
  return static_cast<int>(cudaGetLastError());
}

/// Loads the kernels for a storage type.
template <typename Number>
int load_for_storage() {
  int code = load_kernel(gaussians<Number>);
  (void)(code == 0 && (code = load_kernel(attend<8, Number>)) == 0 &&
         (code = load_kernel(attend<16, Number>)) == 0 && (code = load_kernel(attend<32, Number>)) == 0);
  return code;
}

template <typename Launch>
int start_for_storage(const Launch& launch, void* stream) {
  switch (launch.storage) {
    case Storage::float16:
      return start<__half>(launch, static_cast<cudaStream_t>(stream));
    case Storage::bfloat16:
      return start<__nv_bfloat16>(launch, static_cast<cudaStream_t>(stream));
    case Storage::float32:
      break;
  }
  return start<float>(launch, static_cast<cudaStream_t>(stream));
}

}  // namespace

bool attends(std::int64_t heads, std::int64_t depth) {
  const std::int64_t shared = heads * kKeyParts * (depth + 2) * static_cast<std::int64_t>(sizeof(float));
  return (depth == 8 || depth == 16 || depth == 32) && heads * kKeyParts <= kMaxThreads &&
         shared <= kMaxShared;
}

int load_packed_attention() {
  int code = load_for_storage<float>();
  (void)(code == 0 && (code = load_for_storage<__half>()) == 0 &&
         (code = load_for_storage<__nv_bfloat16>()) == 0);
  return code;
}

int launch(const AttentionLaunch& launch, void* stream) {
  return launch.molecules == 0 ? 0 : start_for_storage(launch, stream);
}

int launch(const GaussianLaunch& launch, void* stream) {
  return launch.n == 0 ? 0 : start_for_storage(launch, stream);
}

}  // namespace molgauge::torch::cuda
