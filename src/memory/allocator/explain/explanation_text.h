#pragma once

#include <string>

#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// The explanation in words, for a terminal.
std::string explanation_text(const MemoryExplanation& explanation);

/// The file, and how much it holds.
std::string title_of(const MemoryExplanation& explanation);
/// The conditions of the recording: "settings: defaults; card: 24.0 GiB", or a CPU.
std::string recorded_on(const MemoryExplanation& explanation);
/// The verdict in one or two sentences, its cause in the program and the first cure in one sentence each. The
/// cause is empty if the verdict contains it.
std::string verdict_sentence(const MemoryExplanation& explanation);
std::string cause_sentence(const MemoryExplanation& explanation);
std::string cure_sentence(const MemoryExplanation& explanation);
/// "activations", "likely gradients", "role unknown".
std::string role_of(const MemoryHolder& holder);
/// The outcome of a simulated change: "fits, 1.2 GiB reserved at most", "runs out at event 12".
std::string outcome_of(const MemoryCure& cure);

/// The explanation as a JSON object (docs/reference/formats.md); bytes as integers.
std::string explanation_json(const MemoryExplanation& explanation);

/// The report of a simulation, and a comparison, as JSON.
std::string simulation_json(const SimulateMemoryReport& report);
std::string difference_json(const MemoryDifference& difference);

}  // namespace headroom::allocator
