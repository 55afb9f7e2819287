#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "memory/plan/cost.h"

namespace headroom::memory {

/// Indices of the items: most tokens first, then most pairs; equal items keep their order.
std::vector<std::size_t> largest_first(std::span<const ItemSize> items);

/// Whether a batch fits. If it is true for a batch, it is true for the batch with fewer items.
using BatchFits = std::function<bool(std::span<const ItemSize> batch)>;

/// How many items from the front fit into one batch; at least 1. `items` has at least one.
std::size_t leading_items(std::span<const ItemSize> items, const BatchFits& fits);

/// How many items each batch takes when items in this order are put into batches that are as large as fits.
/// An item that does not fit alone becomes a separate batch.
std::vector<std::size_t> batch_counts(std::span<const ItemSize> items, const BatchFits& fits);

/// Indices of the items of each batch: largest first, batches as large as fits. Every index occurs once.
std::vector<std::vector<std::size_t>> pack_largest_first(std::span<const ItemSize> items,
                                                         const BatchFits& fits);

}  // namespace headroom::memory
