#include "base/core/text/bytes.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int digits = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, digits, kUnits[unit]);
}

std::uint64_t parse_bytes(const std::string& text) {
  const auto refuse = [&] {
    return UsageError("'" + text + "' is not a size. Give for example 512MiB, 20GiB or a number of bytes");
  };
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    throw refuse();
  }
  std::string_view unit = std::string_view(text).substr(used);
  while (!unit.empty() && unit.front() == ' ') {
    unit.remove_prefix(1);
  }
  double scale = 1;
  for (const auto known : kUnits) {
    if (unit == known || (unit.empty() && known == "B")) {
      const double bytes = value * scale;
      if (!std::isfinite(bytes) || bytes < 0 || bytes >= 9.2e18) {
        throw refuse();
      }
      return static_cast<std::uint64_t>(bytes);
    }
    scale *= 1024;
  }
  throw refuse();
}

}  // namespace molgauge
