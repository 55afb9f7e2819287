#pragma once

#include <string>

#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The explanation in words, for a terminal.
std::string explanation_text(const MemoryExplanation& explanation);

/// Returns a title with the file, its format, and the numbers of events and allocations.
std::string title_of(const MemoryExplanation& explanation);
/// The conditions of the recording, for example "settings: defaults, card: 24.0 GiB".
std::string recorded_on(const MemoryExplanation& explanation);
/// verdict_sentence() returns one or two sentences about the verdict. The other functions return one sentence
/// about the cause in the program or about the first cure. If the verdict already contains the cause, the
/// cause sentence is empty.
std::string verdict_sentence(const MemoryExplanation& explanation);
std::string cause_sentence(const MemoryExplanation& explanation);
std::string cure_sentence(const MemoryExplanation& explanation);
/// Returns a text such as "activations", "likely gradients" or "role unknown".
std::string role_of(const MemoryHolder& holder);
/// Describes the result of a simulated change, for example "fits, 1.2 GiB reserved at most" or "runs out at
/// event 12".
std::string outcome_of(const MemoryCure& cure);

/// The explanation as a JSON object (docs/reference/formats.md). Bytes are integers.
std::string explanation_json(const MemoryExplanation& explanation);

/// The report of a simulation as JSON, and the comparison of two recordings as JSON.
std::string simulation_json(const SimulateMemoryReport& report);
std::string difference_json(const MemoryDifference& difference);

}  // namespace molgauge::allocator
