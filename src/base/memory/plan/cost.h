#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace molgauge::memory {

/// The size of an item, such as a molecule, a pocket or a row of features. It has only two numbers, because
/// lists may have very many items.
struct ItemSize {
  std::uint64_t tokens = 1;  ///< positions that a model computes, such as the atoms of a molecule
  std::uint64_t pairs = 0;   ///< ordered pairs of tokens: directed edges of a graph, tokens^2 for attention
  bool operator==(const ItemSize&) const = default;
};

/// The cost of a batch. The sizes of tensors are linear in these quantities. The model defines how the costs
/// of items add up (StepModel::cost).
struct Cost {
  std::uint64_t items = 0;
  std::uint64_t tokens = 0;  ///< tokens of all items, without padding
  std::uint64_t pairs = 0;   ///< computed pairs, with padding if the model pads
  std::uint64_t padded = 0;  ///< computed positions: the tokens, plus padding if the model pads
  bool operator==(const Cost&) const = default;
};

/// The cost of a batch without padding.
inline Cost packed_cost(std::span<const ItemSize> batch) {
  Cost cost;
  for (const ItemSize& item : batch) {
    ++cost.items;
    cost.tokens += item.tokens;
    cost.pairs += item.pairs;
  }
  cost.padded = cost.tokens;
  return cost;
}

/// The cost as the terms of a linear formula: 1, items, tokens, pairs, padded.
inline constexpr std::size_t kCostTerms = 5;
using CostTerms = std::array<double, kCostTerms>;

inline CostTerms terms_of(const Cost& cost) {
  return {1.0, static_cast<double>(cost.items), static_cast<double>(cost.tokens),
          static_cast<double>(cost.pairs), static_cast<double>(cost.padded)};
}

}  // namespace molgauge::memory
