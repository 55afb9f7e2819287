#pragma once

#include <string>

#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// The explanation in words, for a terminal.
std::string explanation_text(const MemoryExplanation& explanation);

/// The file, and how much it holds.
std::string title_of(const MemoryExplanation& explanation);
/// On what: "settings: defaults; card: 24.0 GiB", or that it was a CPU.
std::string recorded_on(const MemoryExplanation& explanation);
/// The verdict in one or two sentences, what in the program led to it (empty where the verdict says that
/// already), and the first cure in one.
std::string verdict_sentence(const MemoryExplanation& explanation);
std::string cause_sentence(const MemoryExplanation& explanation);
std::string cure_sentence(const MemoryExplanation& explanation);
/// "activations", "likely gradients", "role unknown".
std::string role_of(const MemoryHolder& holder);
/// The outcome of a simulated change: "fits, 1.2 GiB reserved at most", "runs out at event 12".
std::string outcome_of(const MemoryCure& cure);

/// The explanation as a JSON object (docs/reference/formats.md); bytes as integers.
std::string explanation_json(const MemoryExplanation& explanation);

/// A simulation's report, and a comparison, as JSON.
std::string simulation_json(const SimulateMemoryReport& report);
std::string difference_json(const MemoryDifference& difference);

}  // namespace headroom::allocator
