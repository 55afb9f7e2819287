#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memgauge/explain/oom_message.h"

namespace molgauge::allocator {

/// Finds and parses the out-of-memory messages in a text, such as the output of a program with a traceback.
/// The lines may be wrapped, cut at the width of a terminal, framed, coloured or marked with ranks. The
/// messages are in the order of the text. A repeated message occurs once.
std::vector<OutOfMemoryMessage> read_messages(std::string_view text);

/// Returns the framework whose out-of-memory message is in the text, such as "JAX". Returns an empty text if
/// there is no message of a framework that Molgauge does not explain.
std::string_view foreign_framework(std::string_view text);

}  // namespace molgauge::allocator
