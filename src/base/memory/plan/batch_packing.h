#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/memory/plan/cost.h"

namespace molgauge::memory {

/// The indices of the items, sorted by tokens, then by pairs, largest first. Equal items keep their order.
std::vector<std::size_t> largest_first(std::span<const ItemSize> items);

/// Whether a batch fits. A batch that fits must still fit with fewer items.
using BatchFits = std::function<bool(std::span<const ItemSize> batch)>;

/// The number of leading items that fit into a batch, at least 1. `items` must not be empty.
std::size_t leading_items(std::span<const ItemSize> items, const BatchFits& fits);

/// Divides the items, in the given order, into batches that are as large as possible. Returns the number of
/// items in each batch. An item that does not fit alone is a separate batch.
std::vector<std::size_t> batch_counts(std::span<const ItemSize> items, const BatchFits& fits);

/// The indices of the items in each batch. Larger items come first, and batches are as large as possible.
/// Every index occurs once.
std::vector<std::vector<std::size_t>> pack_largest_first(std::span<const ItemSize> items,
                                                         const BatchFits& fits);

}  // namespace molgauge::memory
