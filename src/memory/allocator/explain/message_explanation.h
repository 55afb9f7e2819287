#pragma once

#include <string>
#include <string_view>

#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// Explains the text of an out-of-memory error without a recording: its numbers, whether free memory was
/// fragmented, whether other processes use the card, and possible changes with a level of certainty. `source`
/// names the text. Fills in `source`, `format`, `device`, `text` and `json`
/// (docs/reference/formats-memory.md). Throws InputError if the text contains no out-of-memory message of
/// PyTorch.
MemoryExplanation explain_message(std::string_view text, const std::string& source);

}  // namespace headroom::allocator
