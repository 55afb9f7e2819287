#pragma once

#include <string>
#include <vector>

#include "headroom/types.h"
#include "models/pocket/retrieval/stored_encoder.h"
#include "runtime/budget_scope.h"

namespace headroom::session {

/// Encodes these graphs of a set within the budget: on the CPU by as many threads as there is room for, on a
/// GPU one after the other. Throws Error with exit code 4 where not even one pocket fits.
ops::Floats encode_within_memory(const pocket::StoredEncoder& encoder, const pocket::GraphSet& graphs,
                                 const std::vector<std::size_t>& chosen, const ComputeOptions& compute,
                                 Device device, BudgetScope& memory);

/// Reads `--device` as parse_device() does. "auto" is the CPU where this build has no kernels of pocket
/// encoders for GPUs; UsageError where a GPU was named all the same.
Device parse_pocket_device(const std::string& text);

/// The places of all graphs of a set.
std::vector<std::size_t> all_graphs(const pocket::GraphSet& graphs);

}  // namespace headroom::session
