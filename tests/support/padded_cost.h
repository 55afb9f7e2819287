#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/memory/plan/cost.h"

namespace molgauge::test {

/// The cost of a batch in which every item is padded to the longest one. Every pair of positions is computed,
/// even if the items have fewer pairs.
inline memory::Cost padded_cost(std::span<const memory::ItemSize> batch) {
  std::uint64_t longest = 0, tokens = 0;
  for (const memory::ItemSize& item : batch) {
    longest = std::max(longest, item.tokens);
    tokens += item.tokens;
  }
  const std::uint64_t items = batch.size();
  return {.items = items, .tokens = tokens, .pairs = items * longest * longest, .padded = items * longest};
}

}  // namespace molgauge::test
