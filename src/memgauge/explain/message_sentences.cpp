#include "memgauge/explain/message_sentences.h"

#include <fmt/format.h>

#include "base/core/text/bytes.h"

namespace molgauge::allocator {
namespace {

MessageSentences of_host(const OutOfMemoryMessage& m) {
  if (m.request_is_absurd) {
    return {MessageCause::impossible, "certain",
            "More than a petabyte of main memory was requested: a size is wrong, for example a negative "
            "number or the product of wrong dimensions.",
            ""};
  }
  return {MessageCause::host, "certain",
          fmt::format("The memory of the computer ran out, not the memory of a GPU{}.", wanted_text(m)), ""};
}

MessageSentences of_killed(const OutOfMemoryMessage& m) {
  if (m.is_certain) {
    return {MessageCause::killed, "certain",
            fmt::format("The main memory of the computer or of the job ran out, not the memory of a GPU. A "
                        "process was ended for this reason, as {} reports.",
                        m.library),
            ""};
  }
  return {
      MessageCause::killed, "likely",
      "A process was ended by signal 9 (SIGKILL). Linux sends it if the main memory of the computer or of "
      "the job runs out, but a user or a scheduler can also send it.",
      "If memory ran out, the kernel log (dmesg) names the process."};
}

MessageSentences of_shared_memory(const OutOfMemoryMessage& m) {
  return {MessageCause::shared_memory, m.is_certain ? "certain" : "likely",
          "The shared memory (/dev/shm) of the computer or the container was full, not the memory of a GPU. "
          "Processes pass tensors through it.",
          ""};
}

MessageSentences of_driver(const OutOfMemoryMessage& m) {
  if (m.source == MessageSource::nvml) {
    return {MessageCause::no_numbers, "likely",
            "Memory ran out, and PyTorch failed to write the numbers: it asks NVML for the processes on the "
            "device, and this call failed.",
            "This happens on MIG slices, and if the driver and its NVML library have different versions."};
  }
  if (m.source == MessageSource::library) {
    return {MessageCause::outside_allocator, m.is_certain ? "certain" : "likely",
            fmt::format("{} found no memory for its own use. It allocates from the driver, but PyTorch's "
                        "allocator or other processes used the rest.",
                        m.library),
            ""};
  }
  return {MessageCause::outside_allocator, "certain",
          m.source == MessageSource::expandable
              ? "The driver had no memory left. Expandable segments and libraries call the driver directly. "
                "The message does not contain numbers."
              : "The driver found no memory for a request from outside of PyTorch's allocator: a context, a "
                "kernel, a library or pinned host memory. The message does not contain numbers.",
          ""};
}

MessageSentences of_server(const OutOfMemoryMessage& m) {
  switch (m.source) {
    case MessageSource::serving_start:
      return {MessageCause::other_processes, "certain",
              fmt::format("When {} started, less memory was free than the share that it shall use "
                          "(gpu_memory_utilization). Other processes used the rest.",
                          m.library),
              ""};
    case MessageSource::serving_length:
      return {MessageCause::serving_cache, "certain",
              fmt::format("The key-value cache of {} is too small for one sequence of the maximum length.",
                          m.library),
              ""};
    default:
      return {
          MessageCause::serving_cache, "certain",
          fmt::format("{} found no memory for its key-value cache. The weights and the memory of the first "
                      "forward pass take the whole share of the GPU that it may use.",
                      m.library),
          ""};
  }
}

MessageSentences of_buffer(const OutOfMemoryMessage& m) {
  return {MessageCause::buffer_limit, "certain",
          fmt::format("One request was larger than {}{}. This limit holds even if the device has enough free "
                      "memory.",
                      m.platform == MessagePlatform::mps ? "the largest buffer of Metal"
                                                         : "4 GiB, the largest block of this device",
                      wanted_text(m)),
          ""};
}

}  // namespace

std::string wanted_text(const OutOfMemoryMessage& message) {
  return message.requested ? fmt::format(": {} were requested", format_bytes(*message.requested)) : "";
}

MessageSentences sentences_without_figures(const OutOfMemoryMessage& message) {
  switch (message.source) {
    case MessageSource::host:
      return of_host(message);
    case MessageSource::killed:
      return of_killed(message);
    case MessageSource::shared_memory:
      return of_shared_memory(message);
    case MessageSource::serving_cache:
    case MessageSource::serving_length:
    case MessageSource::serving_start:
      return of_server(message);
    case MessageSource::buffer_limit:
      return of_buffer(message);
    default:
      return of_driver(message);
  }
}

}  // namespace molgauge::allocator
