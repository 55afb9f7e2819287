#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "memory/plan/cost.h"

namespace headroom::memory {

/// Bytes as a linear function of the cost of a batch.
struct CostFormula {
  CostTerms bytes_per = {};  ///< bytes for each term of terms_of()

  double at(const Cost& cost) const;
  CostFormula& operator+=(const CostFormula& other);
  CostFormula& operator-=(const CostFormula& other);
  /// Whether the formula is never below `other`, whatever the batch.
  bool dominates(const CostFormula& other) const;
};

/// The formula of fewest terms that gives every one of these sizes to the byte. None unless it has
/// fewer terms than there are sizes, so that each formula is tested on a size it was not made from. Only the
/// constant term may be negative. `costs` and `sizes` have the same length, at least 2.
std::optional<CostFormula> explain_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

/// The formula without negative terms that is nearest to the sizes (least squares of the relative error),
/// raised as a whole until it is at least as large as each of them.
CostFormula cover_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

}  // namespace headroom::memory
