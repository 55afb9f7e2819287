#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "memory/plan/cost.h"

namespace headroom::memory {

/// Bytes as a linear function of what a batch holds.
struct CostFormula {
  CostTerms bytes_per = {};  ///< of each term of terms_of()

  double at(const Cost& cost) const;
  CostFormula& operator+=(const CostFormula& other);
  CostFormula& operator-=(const CostFormula& other);
  /// Never below `other`, whatever the batch.
  bool dominates(const CostFormula& other) const;
};

/// The formula of fewest terms that gives every one of these sizes to the byte; nothing if there is none with
/// fewer terms than sizes, so that each formula has been tried on a size it was not made from. Only the
/// constant term may be negative. `costs` and `sizes` are equally many, at least 2.
std::optional<CostFormula> explain_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

/// The formula without negative terms that comes nearest to the sizes (least squares of the relative error),
/// raised as a whole until it is below none of them.
CostFormula cover_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

}  // namespace headroom::memory
