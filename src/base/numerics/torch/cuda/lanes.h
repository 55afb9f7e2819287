#pragma once

#include <cmath>
#include <cstdint>

#include "base/numerics/ops/everywhere.h"
#include "base/numerics/ops/training/keyed_numbers.h"

/// The arithmetic of one thread in the CUDA kernels of Uni-Mol. It also compiles for the host, where tests
/// compare it with ATen operators. Storage is float32, float16 or bfloat16. Sums are float32.
namespace molgauge::torch::cuda {

/// The number of threads that share the keys of one query and head. Thread r processes the keys r, r +
/// kKeyParts, and so on. The parts are combined in ascending order, so results do not depend on the other
/// molecules of a batch.
constexpr int kKeyParts = 4;

/// Data of one molecule. Consecutive numbers of one head have the distance `heads`.
template <typename Number>
struct MoleculeView {
  const Number* joint;   ///< [tokens, 3, depth, heads] queries, keys and values
  const Number* before;  ///< [tokens, tokens, heads]
  Number* after;  ///< logits for the next layer. May be the same array as `before`. If null, logits are not
                  ///< stored
  std::int64_t tokens;
  std::int64_t heads;
  float scale;
};

/// The result of a softmax over some of the keys: the weighted sum of the values (`mixed`), not yet divided
/// by the sum of the weights (`total`).
template <int kDepth>
struct AttentionOutput {
  float most = -INFINITY;
  float total = 0;
  float mixed[kDepth] = {};

  MOLGAUGE_EVERYWHERE void rescale(float new_most) {
    const float factor = most == new_most ? 1.0F : expf(most - new_most);
    total *= factor;
    for (int d = 0; d < kDepth; ++d) {
      mixed[d] *= factor;
    }
    most = new_most;
  }
  MOLGAUGE_EVERYWHERE void join(AttentionOutput other) {
    if (other.total == 0) {
      return;
    }
    const float new_most = fmaxf(most, other.most);
    rescale(new_most);
    other.rescale(new_most);
    total += other.total;
    for (int d = 0; d < kDepth; ++d) {
      mixed[d] += other.mixed[d];
    }
  }
};

/// Processes the keys part, part + kKeyParts, and so on, for one query and head. Computes the softmax from
/// the logits in float32. Rounds the logits to the storage type only to store them for the next layer.
/// `dropout`: factors of the weights [tokens, heads] of the query, applied after the softmax.
template <int kDepth, typename Number>
MOLGAUGE_EVERYWHERE AttentionOutput<kDepth> attend_part(const MoleculeView<Number>& molecule,
                                                        std::int64_t query, std::int64_t head, int part,
                                                        const ops::KeyedFactors& dropout = {}) {
  const std::int64_t heads = molecule.heads, row = heads * kDepth * 3;
  const Number* const own = molecule.joint + query * row + head;
  float scaled[kDepth];
  for (int d = 0; d < kDepth; ++d) {
    scaled[d] = molecule.scale * static_cast<float>(own[d * heads]);
  }
  AttentionOutput<kDepth> result;
  for (std::int64_t key = part; key < molecule.tokens; key += kKeyParts) {
    const Number* const numbers = molecule.joint + key * row + head;
    const std::int64_t pair = (query * molecule.tokens + key) * heads + head;
    auto logit = static_cast<float>(molecule.before[pair]);
    for (int d = 0; d < kDepth; ++d) {
      logit += scaled[d] * static_cast<float>(numbers[(kDepth + d) * heads]);
    }
    if (molecule.after != nullptr) {
      molecule.after[pair] = static_cast<Number>(logit);
    }
    if (logit > result.most) {
      result.rescale(logit);
    }
    const float weight = expf(logit - result.most);
    result.total += weight;
    const float kept = weight * dropout[static_cast<std::uint64_t>(key * heads + head)];
    for (int d = 0; d < kDepth; ++d) {
      result.mixed[d] += kept * static_cast<float>(numbers[(2 * kDepth + d) * heads]);
    }
  }
  return result;
}

/// Writes the result of one query and head to `out` [queries, depth, heads].
template <int kDepth, typename Number>
MOLGAUGE_EVERYWHERE void write_attended(const AttentionOutput<kDepth>& attended, std::int64_t row,
                                        std::int64_t head, std::int64_t heads, Number* out) {
  for (int d = 0; d < kDepth; ++d) {
    out[(row * kDepth + d) * heads + head] = static_cast<Number>(attended.mixed[d] / attended.total);
  }
}

/// A Gaussian function in the form of the published network:
///
///     exp(-((y - mean) / s)^2 / 2) / (s sqrt(2 * 3.14159))
///
/// where y = factor * distance + offset and s = |width| + 1e-5.
MOLGAUGE_EVERYWHERE inline float gaussian(float factor, float offset, float distance, float mean,
                                          float width) {
  const float s = fabsf(width) + 1e-5F;
  const float far = (factor * distance + offset - mean) / s;
  return expf(-0.5F * far * far) / (2.5066272F * s);
}

}  // namespace molgauge::torch::cuda
