#pragma once

#include "base/numerics/ops/dense.h"
#include "base/numerics/ops/equivariant/irreps.h"

/// The layers of an equivariant network between its messages. They operate on rows with the layout of irreps.
/// base/numerics/torch/equivariant.h contains the same layers on LibTorch tensors, with which tests compare
/// them.
namespace molgauge::ops {

/// Factors that give silu(z) and sigmoid(z) a second moment of 1 if z has a standard normal distribution. The
/// values are the estimates of e3nn from a million samples, because its checkpoints need them. The exact
/// integrals give 1.6765324703 and 1.8462285454.
inline constexpr float kSiluScale = 1.6791767923989418F, kSigmoidScale = 1.8467055342154763F;

/// The layout of the input of gate() for the output layout `out`. The input contains the scalars, one gate
/// scalar for each channel of a higher degree, and the other blocks. The first block of `out` must be its
/// only block of even scalars.
Irreps gated(const Irreps& out);

/// Applies a gate (Weiler et al. 2018, arXiv:1807.02547): rows [n, width of gated(out)] -> [n, width of out].
/// A scalar s becomes kSiluScale silu(s). Each channel of a higher degree is multiplied by kSigmoidScale
/// sigmoid(g), where g is the gate scalar of the channel.
Floats gate(const Floats& rows, const Irreps& out);

/// How the channels of higher degrees are normalised.
enum class ChannelNorm {
  length,    ///< divides a channel by the root mean square of its components. This is equivariant
  variance,  ///< subtracts the mean of the components of a channel, and divides by their standard deviation.
             ///< This depends on the axes of space. Only for checkpoints of the Python project
};

/// Layer normalisation. The leading block of scalars is normalised as a whole, with weight and bias. Every
/// other channel is normalised separately, without weight and bias. Epsilon is 1e-5.
struct EquivariantNorm {
  LayerNorm scalars;
  ChannelNorm channels = ChannelNorm::length;
};
Floats apply(const EquivariantNorm& norm, const Floats& rows, const Irreps& irreps);

/// Rotation-invariant features [n, channels of irreps]: the scalars, and the length of each other channel.
Floats invariants(const Floats& rows, const Irreps& irreps);

/// Returns invariants(), with lengths raised to at least 1e-6, followed by cosines. The cosines are between
/// all pairs i < j of channels in each block of a higher degree.
Floats paired_invariants(const Floats& rows, const Irreps& irreps);
std::int64_t paired_invariant_count(const Irreps& irreps);

/// Multiplies each channel x by sigmoid(|x|), so that its length n becomes silu(n). This is the norm
/// activation of e3nn.
Floats norm_activation(const Floats& rows, const Irreps& irreps);

/// RMS normalisation of rows with epsilon 1e-5 and a scale for each column (Zhang and Sennrich 2019,
/// arXiv:1910.07467). It is equivariant only if the scales of all components of a channel are equal.
Floats rms_norm(const Floats& rows, const Floats& scale);

/// x sigmoid(x) (Elfwing et al. 2018, arXiv:1702.03118), computed in place.
Floats silu(Floats x);

}  // namespace molgauge::ops
