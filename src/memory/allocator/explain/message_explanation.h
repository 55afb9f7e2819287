#pragma once

#include <string>
#include <string_view>

#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// Explains the text of an out-of-memory error alone: the meaning of its numbers, whether free memory lay in
/// pieces, whether others use the card, and which changes could help, each with a level of certainty.
/// `source` names the text. Fills in `source`, `format`, `device`, `text` and `json`
/// (docs/reference/formats-memory.md). Throws InputError if the text has no out-of-memory message of PyTorch.
MemoryExplanation explain_message(std::string_view text, const std::string& source);

}  // namespace headroom::allocator
