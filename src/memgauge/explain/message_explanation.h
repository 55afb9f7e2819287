#pragma once

#include <string>
#include <string_view>

#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Explains an out-of-memory error from its text alone. No recording is necessary. The explanation contains
/// the numbers of the text, and tells whether free memory was fragmented and whether other processes use the
/// card. It also contains possible changes with a level of certainty. `source` names the text. Fills in
/// `source`, `format`, `device`, `text` and `json` (docs/reference/formats-memory.md). Throws InputError if
/// the text contains no out-of-memory message of PyTorch.
MemoryExplanation explain_message(std::string_view text, const std::string& source);

}  // namespace molgauge::allocator
