#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace molgauge::options {

/// The range of numbers that an option accepts. Upper limits are far above useful values, but low enough that
/// sums and products of a few numbers do not overflow.
struct NumericRange {
  enum class Kind { whole, real };

  Kind kind = Kind::whole;
  std::uint64_t least = 0, most = 0;  ///< limits of a range of whole numbers, both included
  double lowest = 0, highest = 0;     ///< limits of a range of real numbers
  bool takes_lowest = true, takes_highest = true;

  bool holds(std::uint64_t value) const;
  /// Whether this is a range of real numbers that contains `value`. Returns false for NaN.
  bool holds(double value) const;
  /// Returns the range as "[1..1000000]" or "(0..10]". A bracket includes the limit, and a parenthesis
  /// excludes it. Returns an empty text if the range contains all values of the type.
  std::string interval() const;
  /// Returns the range in words, such as "a whole number from 1 to 1000000", "a number above 0 and at most
  /// 10" or "a whole number from 0 to 2^64 - 1".
  std::string words() const;
};

/// A whole number from `least` to `most`.
constexpr NumericRange whole(std::uint64_t least, std::uint64_t most) {
  return {.kind = NumericRange::Kind::whole, .least = least, .most = most};
}

/// A real number from `lowest` to `highest`.
constexpr NumericRange real(double lowest, double highest) {
  return {.kind = NumericRange::Kind::real, .lowest = lowest, .highest = highest};
}

/// A real number above `lowest` and at most `highest`.
constexpr NumericRange above(double lowest, double highest) {
  NumericRange range = real(lowest, highest);
  range.takes_lowest = false;
  return range;
}

/// A real number of at least `lowest` and below `highest`.
constexpr NumericRange below(double lowest, double highest) {
  NumericRange range = real(lowest, highest);
  range.takes_highest = false;
  return range;
}

/// A real number above `lowest` and below `highest`.
constexpr NumericRange inside(double lowest, double highest) {
  NumericRange range = above(lowest, highest);
  range.takes_highest = false;
  return range;
}

// Ranges that several options use.
inline constexpr NumericRange kMoleculeCount = whole(0, 1'000'000'000),
                              kNeighbourCount = whole(1, 1'000'000'000);
inline constexpr NumericRange kBatch = whole(1, 10'000'000), kRounds = whole(1, 1'000'000);
inline constexpr NumericRange kPageRows = whole(0, 1'000'000);
inline constexpr NumericRange kThreads = whole(0, 1'024);
inline constexpr NumericRange kSeed = whole(0, std::numeric_limits<std::uint64_t>::max());

}  // namespace molgauge::options
