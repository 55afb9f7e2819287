#pragma once

#include "numerics/ops/dense.h"
#include "numerics/ops/equivariant/irreps.h"

/// The layers of an equivariant network between its messages, on rows of irreps. numerics/torch/equivariant.h
/// has the same for LibTorch's tensors, which are the plain references.
namespace headroom::ops {

/// The second moments of silu(z) and sigmoid(z) for normal z are 1 after these factors. They are e3nn's,
/// which estimates them from a million numbers, so that its checkpoints give its outputs; the integrals
/// are 1.6765324703 and 1.8462285454.
inline constexpr float kSiluScale = 1.6791767923989418F, kSigmoidScale = 1.8467055342154763F;

/// What a gate takes to make rows of `out`: its scalars, then one more scalar for each channel of a higher
/// degree, then the other blocks. `out` begins with its one block of even scalars.
Irreps gated(const Irreps& out);

/// rows [n, width of gated(out)] -> [n, width of out]: kSiluScale silu(s) of the scalars, and each channel of
/// a higher degree times kSigmoidScale sigmoid(g) of its scalar g (Weiler et al. 2018, arXiv:1807.02547).
Floats gate(const Floats& rows, const Irreps& out);

/// How the channels of higher degrees are normalised.
enum class ChannelNorm {
  length,    ///< divided by the root of the mean square of their components: equivariant
  variance,  ///< less the mean of their components, divided by their deviation: depends on the axes of space.
             ///< What the Python project did, for its checkpoints.
};

/// Layer normalisation of the leading block of scalars, with weight and bias, and of every other channel by
/// itself, with none; epsilon 1e-5.
struct EquivariantNorm {
  LayerNorm scalars;
  ChannelNorm channels = ChannelNorm::length;
};
Floats apply(const EquivariantNorm& norm, const Floats& rows, const Irreps& irreps);

/// What no rotation changes: scalars as they are, the length of each other channel. [n, channels of irreps].
Floats invariants(const Floats& rows, const Irreps& irreps);

/// As invariants(), with lengths of at least 1e-6, and after them the cosines between all pairs i < j of the
/// channels of each block of a higher degree.
Floats paired_invariants(const Floats& rows, const Irreps& irreps);
std::int64_t paired_invariant_count(const Irreps& irreps);

/// Every channel x times sigmoid(|x|), so that its length n becomes silu(n): e3nn's norm activation.
Floats norm_activation(const Floats& rows, const Irreps& irreps);

/// Rows over the root of their mean square (epsilon 1e-5), times a scale of each number (Zhang and Sennrich
/// 2019, arXiv:1910.07467). Not equivariant unless the scales of a channel are equal.
Floats rms_norm(const Floats& rows, const Floats& scale);

/// x sigmoid(x) (Elfwing et al. 2018, arXiv:1702.03118), written over x.
Floats silu(Floats x);

}  // namespace headroom::ops
