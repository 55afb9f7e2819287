#include "molecules/experiments/matrix/cell.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/experiments/specification/method_kinds.h"

namespace molgauge::matrix {
namespace {

/// All combinations of the values in the ranges.
std::vector<options::Values> combinations(const std::vector<experiment::OptionRange>& ranges) {
  std::vector<options::Values> points = {{}};
  for (const auto& range : ranges) {
    std::vector<options::Values> longer;
    for (const auto& point : points) {
      for (const auto& value : range.values) {
        longer.push_back(point);
        longer.back()[range.name] = value;
      }
    }
    points = std::move(longer);
  }
  return points;
}

/// Returns the options of a method. These are the options in its own section, and the shared options that the
/// method uses but does not set.
std::vector<experiment::OptionRange> ranges_of(const experiment::Spec& spec,
                                               const experiment::MethodSpec& method) {
  const experiment::MethodKind kind = experiment::method_kind(method.kind);
  std::vector<experiment::OptionRange> ranges;
  if (const auto section = spec.shared.find(kind.section); section != spec.shared.end()) {
    for (const experiment::OptionRange& shared : section->second) {
      const bool is_set =
          std::any_of(method.options.begin(), method.options.end(),
                      [&](const experiment::OptionRange& own) { return own.name == shared.name; });
      if (!is_set && (kind.looks_at == nullptr || kind.looks_at(shared.name, method.kind))) {
        ranges.push_back(shared);
      }
    }
  }
  ranges.insert(ranges.end(), method.options.begin(), method.options.end());
  return ranges;
}

options::Values grid_point(const std::vector<experiment::OptionRange>& ranges,
                           const options::Values& options) {
  options::Values point;
  for (const auto& range : ranges) {
    if (range.values.size() > 1) {
      point[range.name] = options.at(range.name);
    }
  }
  return point;
}

/// Returns a * b, or kMaxCells + 1 if the product is greater than kMaxCells.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t cells = 0;
  return __builtin_mul_overflow(a, b, &cells) || cells > kMaxCells ? kMaxCells + 1 : cells;
}

/// Counts the cells without creating them. Throws if there are too many.
void require_countable(const experiment::Spec& spec) {
  const std::uint64_t each =
      product(spec.benchmarks.size(), product(spec.data_seeds.size(), spec.seeds.size()));
  std::uint64_t cells = 0;
  for (const auto& method : spec.methods) {
    const auto encoders = std::count_if(spec.encoders.begin(), spec.encoders.end(),
                                        [&](const std::string& encoder) { return method.is_for(encoder); });
    auto points = static_cast<std::uint64_t>(encoders);
    for (const auto& range : ranges_of(spec, method)) {
      points = product(points, range.values.size());
    }
    cells += product(each, points);
    if (cells > kMaxCells) {
      throw InputError(fmt::format(
          "{}:{}: with method '{}' the matrix has more than {} runs. Shorten the lists of options and "
          "seeds, or divide the specification",
          spec.file, method.line, method.name, kMaxCells));
    }
  }
}

}  // namespace

std::string Cell::variant() const { return grid.empty() ? method : method + "," + options::to_text(grid); }

std::filesystem::path Cell::folder() const {
  const std::string seeds = "seed_" + std::to_string(seed) + "_data_" + std::to_string(data_seed);
  return std::filesystem::path("runs") / encoder / benchmark / variant() / seeds;
}

std::vector<Cell> expand(const experiment::Spec& spec) {
  require_countable(spec);
  std::vector<Cell> cells;
  for (const auto& benchmark : spec.benchmarks) {
    for (const auto& encoder : spec.encoders) {
      for (const auto data_seed : spec.data_seeds) {
        for (const auto& method : spec.methods) {
          if (!method.is_for(encoder)) {
            continue;
          }
          const auto ranges = ranges_of(spec, method);
          for (const auto& options : combinations(ranges)) {
            for (const auto seed : spec.seeds) {
              cells.push_back({benchmark.name, encoder, method.name, method.kind, options,
                               grid_point(ranges, options), seed, data_seed});
            }
          }
        }
      }
    }
  }
  return cells;
}

}  // namespace molgauge::matrix
