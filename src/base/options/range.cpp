#include "base/options/range.h"

#include <fmt/format.h>

namespace molgauge::options {
namespace {

bool contains_every_whole(const NumericRange& range) {
  return range.kind == NumericRange::Kind::whole && range.least == 0 &&
         range.most == std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

bool NumericRange::holds(std::uint64_t value) const {
  return kind == Kind::whole ? value >= least && value <= most : holds(static_cast<double>(value));
}

bool NumericRange::holds(double value) const {
  return kind == Kind::real && (takes_lowest ? value >= lowest : value > lowest) &&
         (takes_highest ? value <= highest : value < highest);
}

std::string NumericRange::interval() const {
  if (contains_every_whole(*this)) {
    return "";
  }
  return kind == Kind::whole ? fmt::format("[{}..{}]", least, most)
                             : fmt::format("{}{}..{}{}", takes_lowest ? '[' : '(', lowest, highest,
                                           takes_highest ? ']' : ')');
}

std::string NumericRange::words() const {
  if (contains_every_whole(*this)) {
    return "a whole number from 0 to 2^64 - 1";
  }
  if (kind == Kind::whole) {
    return fmt::format("a whole number from {} to {}", least, most);
  }
  return fmt::format("a number {} {} and {} {}", takes_lowest ? "not below" : "above", lowest,
                     takes_highest ? "at most" : "below", highest);
}

}  // namespace molgauge::options
