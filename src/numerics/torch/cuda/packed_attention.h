#pragma once

#include <cstdint>

/// The CUDA kernels of the two operators of Uni-Mol, for device pointers. They are built only if CMake finds
/// CUDA. Launches return immediately with the error code of CUDA, or 0 for success.
namespace headroom::torch::cuda {

enum class Storage { float32, float16, bfloat16 };

/// Concatenated molecules without padding.
struct AttentionLaunch {
  const void* joint;               ///< [n, 3, depth, heads]
  const void* before;              ///< [P, heads]
  void* after;                     ///< [P, heads], may be `before`; null if only first tokens attend
  void* out;                       ///< [n, depth, heads], or [molecules, depth, heads]
  const std::int64_t* first;       ///< [molecules + 1] first token of a molecule
  const std::int64_t* of;          ///< [n] the molecule of a token
  const std::int64_t* first_pair;  ///< [molecules] first pair of a molecule
  std::int64_t queries;            ///< n, or the number of molecules if only first tokens attend
  std::int64_t heads, depth;
  bool first_only;
  float scale;
  Storage storage;
};

/// Whether there is a kernel for these sizes: the depths 8, 16 and 32, and as many heads as fit a block.
bool attends(std::int64_t heads, std::int64_t depth);
int launch(const AttentionLaunch& launch, void* stream);

/// Gaussian functions of all pairs. The parameters of kinds and kernels are float32.
struct GaussianLaunch {
  const std::int64_t* tokens;  ///< [n] token ids; the kind of a pair is first * dictionary + second
  const float* distances;      ///< [P]
  const float *factors, *offsets, *means, *widths;  ///< [kinds], [kinds], [kernels], [kernels]
  void* out;                                        ///< [P, kernels]
  const std::int64_t *first, *of, *first_pair;      ///< arrays of AttentionLaunch
  std::int64_t n, dictionary, kernels;
  Storage storage;
};

int launch(const GaussianLaunch& launch, void* stream);

}  // namespace headroom::torch::cuda
