#pragma once

#include <string>

#include "memgauge/explain/message_verdict.h"

namespace molgauge::allocator {

struct MessageSentences {
  MessageCause kind = MessageCause::no_numbers;
  const char* certainty = "certain";
  std::string verdict, cause;
};

/// The verdict on a message that does not come from the allocator of a GPU, so it has no figures except the
/// size of the request.
MessageSentences sentences_without_figures(const OutOfMemoryMessage& message);

/// ": 2.00 GiB were requested", or an empty text if the message has no size.
std::string wanted_text(const OutOfMemoryMessage& message);

}  // namespace molgauge::allocator
