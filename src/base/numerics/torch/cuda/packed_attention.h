#pragma once

#include <cstdint>

/// The CUDA kernels of the two operators of Uni-Mol (attention, and Gaussian functions of distances), for
/// device pointers. They are built only if CMake finds CUDA. launch() returns immediately with the error code
/// of CUDA, or 0 for success.
namespace molgauge::torch::cuda {

enum class Storage { float32, float16, bfloat16 };

/// Arguments of the attention of the first token of each molecule, for concatenated molecules without
/// padding.
struct AttentionLaunch {
  const void* joint;               ///< [n, 3, depth, heads]
  const void* before;              ///< [P, heads]
  void* out;                       ///< [molecules, depth, heads]
  const std::int64_t* first;       ///< [molecules + 1] first token of a molecule
  const std::int64_t* first_pair;  ///< [molecules] first pair of a molecule
  std::int64_t molecules;
  std::int64_t heads, depth;
  float scale;
  Storage storage;
};

/// Whether there is a kernel for these sizes. The depth must be 8, 16 or 32, and all heads must fit in a
/// block.
bool attends(std::int64_t heads, std::int64_t depth);
int launch(const AttentionLaunch& launch, void* stream);

/// Arguments of the Gaussian functions of all pairs. The parameters of kinds and kernels are float32.
struct GaussianLaunch {
  const std::int64_t* tokens;  ///< [n] token ids. The kind of a pair is first id * dictionary + second id
  const float* distances;      ///< [P]
  const float *factors, *offsets, *means, *widths;  ///< [kinds], [kinds], [kernels], [kernels]
  void* out;                                        ///< [P, kernels]
  const std::int64_t *first, *of, *first_pair;      ///< the same arrays as in AttentionLaunch
  std::int64_t n, dictionary, kernels;
  Storage storage;
};

int launch(const GaussianLaunch& launch, void* stream);

}  // namespace molgauge::torch::cuda
