#pragma once

#include <string>

#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// The explanation in words, for a terminal.
std::string explanation_text(const MemoryExplanation& explanation);

/// The name of the file, and the extent of its content.
std::string title_of(const MemoryExplanation& explanation);
/// The conditions of the recording, for example "settings: defaults; card: 24.0 GiB".
std::string recorded_on(const MemoryExplanation& explanation);
/// One or two sentences about the verdict, and one each about the cause in the program and the first cure.
/// The cause is left out if the verdict contains it.
std::string verdict_sentence(const MemoryExplanation& explanation);
std::string cause_sentence(const MemoryExplanation& explanation);
std::string cure_sentence(const MemoryExplanation& explanation);
/// Returns a text such as "activations", "likely gradients" or "role unknown".
std::string role_of(const MemoryHolder& holder);
/// The result of a simulated change: "fits, 1.2 GiB reserved at most", "runs out at event 12".
std::string outcome_of(const MemoryCure& cure);

/// The explanation as a JSON object (docs/reference/formats.md). Bytes are integers.
std::string explanation_json(const MemoryExplanation& explanation);

/// The report of a simulation, and a comparison, as JSON.
std::string simulation_json(const SimulateMemoryReport& report);
std::string difference_json(const MemoryDifference& difference);

}  // namespace headroom::allocator
