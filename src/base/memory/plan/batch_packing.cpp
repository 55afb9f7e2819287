#include "base/memory/plan/batch_packing.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace molgauge::memory {

// Finds the number of items that fit. Doubles the number until a batch does not fit, then bisects.
std::size_t leading_items(std::span<const ItemSize> items, const BatchFits& fits) {
  std::size_t good = 1, bad = items.size() + 1;
  while (good < items.size() && bad > items.size()) {
    const std::size_t next = std::min(2 * good, items.size());
    (fits(items.first(next)) ? good : bad) = next;
  }
  while (bad - good > 1 && bad <= items.size()) {
    const std::size_t middle = good + (bad - good) / 2;
    (fits(items.first(middle)) ? good : bad) = middle;
  }
  return good;
}

std::vector<std::size_t> largest_first(std::span<const ItemSize> items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return std::tie(items[one].tokens, items[one].pairs) > std::tie(items[other].tokens, items[other].pairs);
  });
  return order;
}

std::vector<std::size_t> batch_counts(std::span<const ItemSize> items, const BatchFits& fits) {
  std::vector<std::size_t> counts;
  while (!items.empty()) {
    counts.push_back(leading_items(items, fits));
    items = items.subspan(counts.back());
  }
  return counts;
}

std::vector<std::vector<std::size_t>> pack_largest_first(std::span<const ItemSize> items,
                                                         const BatchFits& fits) {
  const std::vector<std::size_t> order = largest_first(items);
  std::vector<ItemSize> sorted;
  sorted.reserve(order.size());
  for (const std::size_t index : order) {
    sorted.push_back(items[index]);
  }
  std::vector<std::vector<std::size_t>> batches;
  auto next = order.begin();
  for (const std::size_t count : batch_counts(sorted, fits)) {
    const auto end = next + static_cast<std::ptrdiff_t>(count);
    batches.emplace_back(next, end);
    next = end;
  }
  return batches;
}

}  // namespace molgauge::memory
