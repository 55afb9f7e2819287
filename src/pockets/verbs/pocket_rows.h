#pragma once

#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molgauge/types.h"
#include "pockets/retrieval/stored_encoder.h"

namespace molgauge::verbs {

/// Encodes the graphs with the indices `chosen` within the budget. On the CPU, the memory limits the number
/// of threads. On a GPU, encodes one graph at a time. Throws Error with exit code 4 if a single pocket does
/// not fit.
ops::Floats encode_within_memory(const pocket::StoredEncoder& encoder, const pocket::GraphSet& graphs,
                                 const std::vector<std::size_t>& chosen, const ComputeOptions& compute,
                                 Device device, runtime::BudgetScope& memory);

/// Reads `--device` as parse_device() does, but "auto" means the CPU. Small pockets do not fill a GPU:
/// training on 16 processors was 2.5 times as fast as on an H200 (docs/results/gpu.md). Throws
/// UsageError for a GPU if this build lacks the GPU kernels of pocket encoders.
Device parse_pocket_device(const std::string& text);

/// The indices of all graphs of a set.
std::vector<std::size_t> all_graphs(const pocket::GraphSet& graphs);

}  // namespace molgauge::verbs
