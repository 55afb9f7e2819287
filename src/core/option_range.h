#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// What a numeric option takes. Every numeric option of every verb has its range in one table, under its name
/// on the command line without the dashes. The command line shows and checks it, the engine checks it in
/// requests of programs, and what a specification of a matrix sets is checked by the same. The upper ends are
/// far beyond what is useful and keep sums and products of a few of these numbers within what numbers can
/// hold.
struct NumericRange {
  enum class Kind { whole, real };

  std::string_view name;
  Kind kind = Kind::whole;
  std::uint64_t least = 0, most = 0;  ///< of a whole number; both are taken
  double lowest = 0, highest = 0;     ///< of a real one
  bool takes_lowest = true, takes_highest = true;

  bool holds(std::uint64_t value) const;
  bool holds(double value) const;  ///< a real option's; NaN is never held
  /// "[1..1000000]", "(0..10]": a bracket where the end is taken, a parenthesis where it is not.
  std::string interval() const;
  /// "a whole number from 1 to 1000000", "a number above 0 and at most 10".
  std::string words() const;
};

/// All of them.
std::span<const NumericRange> option_ranges();

/// The range of an option ("batch-size"); nothing where it is no numeric one.
std::optional<NumericRange> option_range(std::string_view option);

/// Throw UsageError, "batch-size: 0 is refused; it takes a whole number from 1 to 10000000", where the value
/// is out of the range of the option, which has one.
void require_in_range(std::string_view option, std::uint64_t value);
void require_in_range(std::string_view option, double value);

}  // namespace headroom
