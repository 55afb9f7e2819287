#pragma once

#include <cstddef>
#include <cstdint>

/// Attention within one molecule for training, vectorised for this CPU, on one thread.
/// base/numerics/ops/cpu/kernels.h contains the version without gradients.
namespace molgauge::ops {

/// For each head h, with the logits `before` of earlier layers:
///
///     logits[i, j] = before[i, j] + scale q[i] . k[j];  w[i] = softmax of logits[i]
///     out[i] = sum over j of factor[i, j] w[i, j] v[j]
///
/// A factor is 0 with probability `dropout`, else 1 / (1 - dropout). The choice is a hash of `key`, i, j and
/// h (keyed_numbers.h), so the backward pass can recompute it. Consecutive numbers of one head have the
/// distance `heads`.
struct AttentionInTraining {
  const float* joint;  ///< [tokens, 3, depth, heads] queries, keys and values
  std::int64_t tokens, heads, depth;
  std::int64_t queries;  ///< number of leading tokens that attend
  float scale;
  double dropout = 0;  ///< dropout probability, in [0, 1). If 0, all weights are kept
  std::uint64_t key = 0;

  std::size_t scratch_numbers() const { return static_cast<std::size_t>(3 * tokens * heads); }
};

/// Computes `logits` and `out` from the logits `before` of earlier layers. logits and before are [queries,
/// tokens, heads] and may be the same array. out is [queries, depth, heads]. `scratch` has room for
/// scratch_numbers() numbers.
void attend(const AttentionInTraining& attention, const float* before, float* logits, float* out,
            float* scratch);

/// Adds the gradients of the joint rows to joint_gradient [tokens, 3, depth, heads]. `logits`: the output of
/// attend(). `logit_gradient` [queries, tokens, heads]: the gradients from later layers. They are overwritten
/// with the total gradients with respect to the logits, which equal the gradients with respect to `before`.
/// out_gradient is [queries, depth, heads].
void attend_backward(const AttentionInTraining& attention, const float* logits, const float* out_gradient,
                     float* logit_gradient, float* joint_gradient, float* scratch);

/// Computes the dropout factors [width] of the row with this key.
void dropout_factors(std::size_t width, double dropout, std::uint64_t key, float* factors);

}  // namespace molgauge::ops
