#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/memory/plan/cost.h"

namespace molgauge::memory {

/// A number of bytes as a linear function of the cost of a batch.
struct CostFormula {
  CostTerms bytes_per = {};  ///< bytes for each term of terms_of()

  double at(const Cost& cost) const;
  CostFormula& operator+=(const CostFormula& other);
  CostFormula& operator-=(const CostFormula& other);
  /// Whether the formula is at least `other` for every batch.
  bool dominates(const CostFormula& other) const;
};

/// Returns the formula with the fewest terms that gives all sizes exactly. The formula must have fewer terms
/// than there are sizes, so that at least one size remains to test it. Returns nothing if there is no such
/// formula. Only the constant term may be negative. `costs` and `sizes` have the same length, at least 2.
std::optional<CostFormula> explain_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

/// Returns the formula without negative terms that is closest to the sizes (least squares of the relative
/// error). It is scaled up until it is at least as large as each size.
CostFormula cover_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes);

}  // namespace molgauge::memory
