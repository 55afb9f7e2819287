#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memgauge/explain/oom_message.h"

namespace molgauge::allocator {

/// The reason for which memory ran out, as far as a message shows it.
enum class MessageCause {
  fragmented,         ///< free memory was sufficient but not contiguous
  too_much,           ///< the process needs more than the card has
  other_processes,    ///< other processes use the missing memory
  idle_contexts,      ///< several processes have a CUDA context without tensors on the card
  memory_fraction,    ///< the memory fraction of the process was reached
  impossible,         ///< the request alone is larger than the card
  buffer_limit,       ///< the request is larger than one buffer may be
  refused_with_room,  ///< the card had room, and the message does not say why the request was refused
  outside_allocator,  ///< the driver or a library found no memory
  serving_cache,      ///< an inference server has no memory for its key-value cache
  host,               ///< the main memory of the computer ran out
  killed,             ///< the operating system ended a process
  shared_memory,      ///< /dev/shm was full
  unclear,            ///< the figures fit several causes
  no_numbers,         ///< the message was cut off
};

const char* name_of(MessageCause cause);
const char* name_of(MessagePlatform platform);

struct MessageFigure {
  std::string meaning;
  std::uint64_t bytes = 0;
};

struct MessageAdvice {
  const char* certainty;  ///< "certain", "likely", "possible"
  std::string change;
};

struct MessageVerdict {
  MessageCause kind = MessageCause::no_numbers;
  const char* certainty = "certain";
  std::string verdict, cause;  ///< sentences
  std::vector<MessageFigure> figures;
  std::vector<MessageAdvice> advice;
  std::optional<std::uint64_t> others;  ///< bytes that are neither free nor of this process
};

/// Reserved memory that no tensor uses counts as large if it is at least this share of all reserved memory.
/// Free ends of segments explain smaller shares.
inline constexpr double kLargeRest = 0.2;

/// Moves the process that wrote the message from the list of other processes to `this_process`.
void find_own_process(OutOfMemoryMessage& message);

/// Finds the cause. `message` has passed find_own_process(). Leaves `advice` empty.
MessageVerdict verdict_of(const OutOfMemoryMessage& message);

/// The changes that can help against this verdict.
std::vector<MessageAdvice> advice_for(const OutOfMemoryMessage& message, const MessageVerdict& verdict);

/// How to record a snapshot. Empty if a snapshot shows nothing about the message.
std::string how_to_record(const OutOfMemoryMessage& message);

}  // namespace molgauge::allocator
