#include "base/page/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace molgauge::page {
namespace {

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `width`.
double round_step(double width) {
  const double power = std::pow(10.0, std::floor(std::log10(width)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= width * (1 - 1e-9)) {
      return factor * power;
    }
  }
  return 10 * power;
}

std::string label(double value, double step) {
  const double size = std::max(std::abs(value), step);
  if (size >= 1e5 || size < 1e-4) {
    return fmt::format("{:.3g}", std::abs(value) < step / 2 ? 0.0 : value);
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", std::abs(value) < step / 2 ? 0.0 : value, decimals);
}

void add_ticks(Axis& axis, double step) {
  const double first = std::ceil(axis.low / step - 1e-9);
  for (double k = first; k * step <= axis.high + step * 1e-9; ++k) {
    axis.ticks.push_back({k * step, label(k * step, step)});
  }
}

}  // namespace

Axis round_axis(std::string title, const std::vector<double>& values, std::size_t ticks) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  Axis axis{std::move(title), 0, 1, {}};
  if (!finite.empty()) {
    const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
    axis.low = *low;
    axis.high = *high;
  }
  // If all values are equal within rounding errors, adds some room around them.
  const double least = std::max({std::abs(axis.low), std::abs(axis.high), 1e-12}) * 1e-6;
  if (axis.high - axis.low < least) {
    const double room = axis.low == 0 ? 1 : std::abs(axis.low) * 0.1;
    axis.low -= room;
    axis.high += room;
  }
  const double step = round_step((axis.high - axis.low) / static_cast<double>(ticks));
  axis.low = std::floor(axis.low / step + 1e-9) * step;
  axis.high = std::ceil(axis.high / step - 1e-9) * step;
  add_ticks(axis, step);
  return axis;
}

Axis counting_axis(std::string title, std::size_t last) {
  Axis axis{std::move(title), 1, std::max(2.0, static_cast<double>(last)), {}};
  add_ticks(axis, std::max(1.0, round_step((axis.high - axis.low) / 6)));
  return axis;
}

Axis fraction_axis(std::string title) {
  Axis axis{std::move(title), 0, 1, {}};
  add_ticks(axis, 0.2);
  return axis;
}

Axis category_axis(std::string title, const std::vector<std::string>& labels) {
  Axis axis{std::move(title), -0.5, std::max(0.5, static_cast<double>(labels.size()) - 0.5), {}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    axis.ticks.push_back({static_cast<double>(i), labels[i]});
  }
  return axis;
}

}  // namespace molgauge::page
