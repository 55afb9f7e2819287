#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pockets/graphs/graph_set.h"
#include "pockets/network.h"

namespace molgauge::pocket {

/// The number of multiply-adds for the messages of a pocket in the forward pass of one layer. The costs of
/// encoding and training are proportional to this number.
double cost_of(const GraphCounts& counts, const EncoderShape& shape);

/// Returns the batches of an epoch as indices into `costs`. The pockets are sorted by cost and divided into
/// as many classes as a batch has pockets. Each batch takes one pocket of every class, so all batches cost
/// nearly the same. `key` seeds the random composition and order of the batches. Every pocket is in exactly
/// one batch. If the last class is incomplete, some batches have one pocket less.
std::vector<std::vector<std::size_t>> batches_by_cost(const std::vector<double>& costs,
                                                      std::size_t batch_size, std::uint64_t key);

/// Distributes pockets with these costs over processes. The processes get consecutive pockets. Each process
/// gets the number of pockets that brings its cost closest to an equal share. Returns the first pocket of
/// each process, and then the number of pockets. Some processes may get none.
std::vector<std::size_t> shares_by_cost(const std::vector<double>& costs, std::size_t processes);

}  // namespace molgauge::pocket
