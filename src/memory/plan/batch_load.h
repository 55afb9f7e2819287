#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headroom::memory {

/// What the planner knows of an item (a molecule, a pocket, a row of features) before it is computed.
struct ItemSize {
  std::uint64_t atoms = 1;
  std::uint64_t edges = 0;  ///< directed
  bool operator==(const ItemSize&) const = default;
};

/// What a batch holds: the quantities that sizes of tensors are linear in. A model that pads counts what it
/// pads (StepModel::load), so that `atoms` are places and `pairs` are items x longest^2.
struct BatchLoad {
  std::uint64_t items = 0, atoms = 0, edges = 0, pairs = 0;
  bool operator==(const BatchLoad&) const = default;
};

/// A batch of items that lie side by side; pairs of atoms are counted within each item.
inline BatchLoad additive_load(std::span<const ItemSize> batch) {
  BatchLoad load;
  for (const ItemSize& item : batch) {
    ++load.items;
    load.atoms += item.atoms;
    load.edges += item.edges;
    load.pairs += item.atoms * item.atoms;
  }
  return load;
}

/// A batch in which every item takes as much room as the longest one.
inline BatchLoad padded_load(std::span<const ItemSize> batch) {
  std::uint64_t longest = 0, edges = 0;
  for (const ItemSize& item : batch) {
    longest = std::max(longest, item.atoms);
    edges += item.edges;
  }
  const std::uint64_t items = batch.size();
  return {.items = items, .atoms = items * longest, .edges = edges, .pairs = items * longest * longest};
}

/// A load as the terms of a linear formula: 1, items, atoms, edges, pairs.
inline constexpr std::size_t kLoadTerms = 5;
using LoadTerms = std::array<double, kLoadTerms>;

inline LoadTerms terms_of(const BatchLoad& load) {
  return {1.0, static_cast<double>(load.items), static_cast<double>(load.atoms),
          static_cast<double>(load.edges), static_cast<double>(load.pairs)};
}

}  // namespace headroom::memory
