#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "torch/graph.h"

/// Attention between the tokens of molecules side by side, and dropout, for LibTorch's tensors in training:
/// dropout on any device, attention in float32 on the CPU, by the loops of ops/training/attention_kernels.h
/// (packed_attention.h has the one of a GPU).
namespace headroom::torch {

/// Dropout whose decisions are hashes of a molecule's key, a place in the network, and the place of a number
/// within the molecule: they depend neither on the other molecules of a batch nor on the order of the work,
/// and a pass that is computed again finds the same ones.
struct KeyedDropout {
  at::Tensor keys;         ///< [molecules] int64, on the CPU; undefined: nothing is dropped
  double probability = 0;  ///< in [0, 1)
  std::int64_t place = 0;  ///< in the network

  bool is_active() const { return keys.defined() && probability > 0; }
  /// Dropout at another place of the network.
  KeyedDropout at_place(std::int64_t other) const { return {keys, probability, other}; }
  /// The key of a molecule at this place.
  std::uint64_t key_of(std::int64_t molecule) const;
};

/// rows [n, width] of the molecules' tokens, each number times 0 or 1 / (1 - p); `rows` itself where nothing
/// is dropped.
at::Tensor drop_rows(const at::Tensor& rows, const Segments& molecules, const KeyedDropout& dropout);

/// As drop_rows(), for one row of each molecule: those of their first tokens.
at::Tensor drop_first_rows(const at::Tensor& rows, const KeyedDropout& dropout);

/// Factors [queries, width] of the attention weights of a molecule's queries, on the CPU: what attend()
/// drops.
at::Tensor factors_of_weights(const KeyedDropout& dropout, std::int64_t molecule, std::int64_t queries,
                              std::int64_t width);

/// What attend() gives.
struct Attended {
  at::Tensor out;     ///< [n, width]; of the first tokens alone: [molecules, width]
  at::Tensor logits;  ///< [P, heads] for the next layer; undefined where only the first tokens attend
};

/// cpu::PairAttention for all molecules: joint [n, 3 width] with the numbers of a head `heads` apart, logits
/// [P, heads] of earlier layers, which are not changed; dropout of the weights. Differentiable once in joint
/// and logits. The backward pass keeps joint and the logits alone, and weighs again.
Attended attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                std::int64_t heads, bool first_only, const KeyedDropout& dropout);

}  // namespace headroom::torch
