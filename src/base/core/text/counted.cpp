#include "base/core/text/counted.h"

#include <fmt/format.h>

namespace molgauge {

std::string counted(std::size_t count, std::string_view one) {
  const bool is_k = one.ends_with("epoch");  // "epoch" ends in "ch" but takes a plain "s"
  const bool hisses =
      (one.ends_with("ch") && !is_k) || one.ends_with("sh") || one.ends_with('s') || one.ends_with('x');
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : hisses ? "es" : "s");
}

}  // namespace molgauge
