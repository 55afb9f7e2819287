#include "models/domain/hold_out.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/random/numpy_random.h"

namespace headroom::domain {
namespace {

constexpr std::size_t kShareHeldOut = 5, kLargestShareHeldOut = 3, kMinHeldOut = 19;

/// The molecules of each scaffold, in random order.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<std::string>& scaffolds,
                                                std::uint64_t seed) {
  std::map<std::string_view, std::vector<std::size_t>> by_scaffold;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    by_scaffold[scaffolds[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> sorted, groups;
  for (auto& [scaffold, molecules] : by_scaffold) {
    sorted.push_back(std::move(molecules));
  }
  NumpyRandom random(seed);
  for (const std::size_t place : random.choose(sorted.size(), sorted.size())) {
    groups.push_back(std::move(sorted[place]));
  }
  return groups;
}

}  // namespace

std::size_t held_out_count(std::size_t molecules, double level) {
  if (molecules < 2 * kMinHeldOut) {
    throw InputError(
        fmt::format("{} {} too few: the calibration holds out at least {} molecules and compares them with "
                    "as many. Give at "
                    "least {} distinct training molecules",
                    counted(molecules, "distinct training molecule"), molecules == 1 ? "is" : "are",
                    kMinHeldOut, 2 * kMinHeldOut));
  }
  const auto needed = static_cast<std::size_t>(std::max(1.0, std::ceil(1 / level - 1e-9) - 1));
  return std::max({std::min(molecules / kShareHeldOut, kMaxHeldOut),
                   std::min({needed, molecules / kLargestShareHeldOut, kMaxHeldOut}), kMinHeldOut});
}

std::vector<bool> draw_held_out(std::size_t molecules, std::size_t count, std::uint64_t seed) {
  std::vector<bool> held_out(molecules);
  NumpyRandom random(seed);
  for (const std::size_t i : random.choose(molecules, count)) {
    held_out[i] = true;
  }
  return held_out;
}

std::vector<bool> draw_scaffolds(const std::vector<std::string>& scaffolds, std::size_t count,
                                 std::uint64_t seed) {
  std::vector<bool> held_out(scaffolds.size());
  std::size_t drawn = 0, drawn_scaffolds = 0;
  for (const auto& group : groups_of(scaffolds, seed)) {
    if (drawn < count && group.size() <= count) {
      drawn += group.size();
      ++drawn_scaffolds;
      for (const std::size_t i : group) {
        held_out[i] = true;
      }
    }
  }
  if (drawn == scaffolds.size() || drawn_scaffolds < kMinHeldOutScaffolds) {
    held_out.assign(scaffolds.size(), false);
  }
  return held_out;
}

DrawnScaffolds count_drawn_scaffolds(const std::vector<std::string>& scaffolds, std::size_t count,
                                     std::uint64_t seed) {
  const std::vector<bool> held_out = draw_scaffolds(scaffolds, count, seed);
  std::map<std::string_view, std::size_t> molecules;
  DrawnScaffolds drawn;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    if (held_out[i]) {
      drawn.largest = std::max(drawn.largest, ++molecules[scaffolds[i]]);
    }
  }
  drawn.scaffolds = molecules.size();
  return drawn;
}

std::vector<std::size_t> scaffold_folds(const std::vector<std::string>& scaffolds, std::size_t folds,
                                        std::uint64_t seed) {
  auto groups = groups_of(scaffolds, seed);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& one, const auto& other) { return one.size() > other.size(); });
  std::vector<std::size_t> sizes(folds), fold_of(scaffolds.size());
  for (const auto& group : groups) {
    const auto fold = static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
    sizes[fold] += group.size();
    for (const std::size_t i : group) {
      fold_of[i] = fold;
    }
  }
  return fold_of;
}

}  // namespace headroom::domain
