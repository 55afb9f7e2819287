#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/pocket/graphs/graph_set.h"
#include "models/pocket/network.h"

namespace headroom::pocket {

/// Multiply-adds of a pocket's messages in one layer, forward: what its encoding and training cost, up to a
/// factor.
double cost_of(const GraphCounts& counts, const EncoderShape& shape);

/// The batches of an epoch, by places in `costs`: each takes one pocket of every class of equal cost, of
/// which there are as many as a batch has pockets, so that batches cost nearly the same. Which pockets meet,
/// and in what order, is random in `key`. Every pocket stands in one batch; where the last class is short,
/// some batches have one pocket less.
std::vector<std::vector<std::size_t>> batches_by_cost(const std::vector<double>& costs,
                                                      std::size_t batch_size, std::uint64_t key);

/// Lays out pockets of these costs over processes, which get one after the other as many of them as bring
/// their costs nearest to an equal share: where the pockets of each begin, and their number. Some processes
/// may get none.
std::vector<std::size_t> shares_by_cost(const std::vector<double>& costs, std::size_t processes);

}  // namespace headroom::pocket
