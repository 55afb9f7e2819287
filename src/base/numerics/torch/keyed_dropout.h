#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/graph.h"

/// Dropout for LibTorch tensors in training, on any device.
namespace molgauge::torch {

/// Dropout whose decisions are hashes of the key of a molecule, a place in the network, and the position of a
/// number in the molecule (base/numerics/ops/training/keyed_numbers.h). They do not depend on the other
/// molecules of a batch, the order of the work or the device. If a pass is computed again, the decisions are
/// the same.
struct KeyedDropout {
  at::Tensor keys;         ///< [molecules] int64, on the CPU. If undefined, there is no dropout
  double probability = 0;  ///< dropout probability, in [0, 1)
  std::int64_t place = 0;  ///< number of the place in the network
  /// The keys on the device of the computation, copied once for all layers. If undefined, keys_on() copies
  /// the keys.
  at::Tensor keys_there = {};

  bool is_active() const { return keys.defined() && probability > 0; }
  /// Dropout at another place of the network.
  KeyedDropout at_place(std::int64_t other) const { return {keys, probability, other, keys_there}; }
  /// The same dropout, with its keys on a device.
  KeyedDropout on(c10::Device device) const;
  /// The key of a molecule at this place.
  std::uint64_t key_of(std::int64_t molecule) const;
  /// `keys` on a device.
  at::Tensor raw_keys_on(c10::Device device) const;
  /// The keys of all molecules at this place, [molecules] int64 on a device.
  at::Tensor keys_on(c10::Device device) const;
};

/// Multiplies each number of the token rows [n, width] by 0 or 1 / (1 - p). Returns `rows` itself if dropout
/// is inactive.
at::Tensor drop_rows(const at::Tensor& rows, const Segments& molecules, const KeyedDropout& dropout);

/// The same for the first columns of the rows. The other columns do not change.
at::Tensor drop_columns(const at::Tensor& rows, std::int64_t columns, const Segments& molecules,
                        const KeyedDropout& dropout);

/// Applies dropout to rows that are the first tokens of molecules, one row for each molecule.
at::Tensor drop_first_rows(const at::Tensor& rows, const KeyedDropout& dropout);

/// The two functions below compute the dropout factors of the token rows of molecules, on the device of the
/// molecules. The result is [tokens, width]. The dropout must be active. row_factors_by_loops() uses loops on
/// the CPU. row_factors_by_steps() uses the GPU steps (cuda/dropout_steps.h), which also run on the CPU for
/// tests.
at::Tensor row_factors_by_loops(const Segments& molecules, std::int64_t width, const KeyedDropout& dropout);
at::Tensor row_factors_by_steps(const Segments& molecules, std::int64_t width, const KeyedDropout& dropout);

/// Factors [queries, width] of the attention weights of one molecule, on the CPU.
at::Tensor weight_factors(const KeyedDropout& dropout, std::int64_t molecule, std::int64_t queries,
                          std::int64_t width);

}  // namespace molgauge::torch
