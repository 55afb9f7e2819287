#include "memgauge/explain/message_verdict.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "memgauge/explain/message_figures.h"
#include "memgauge/explain/message_sentences.h"

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kLargestXpuBuffer = std::uint64_t{4} << 30;

class Judge {
 public:
  explicit Judge(const OutOfMemoryMessage& message) : m_(message) {
    list_figures(m_, found_);
    judge();
    if (m_.free_overflowed) {
      append_cause("The free memory in the message is a number that overflowed, so it is not used here.");
    }
  }

  MessageVerdict result() { return std::move(found_); }

 private:
  void set(MessageCause kind, const char* certainty, std::string text, std::string cause = "") {
    found_.kind = kind;
    found_.certainty = certainty;
    found_.verdict = std::move(text);
    found_.cause = std::move(cause);
  }

  void append_cause(const std::string& sentence) {
    found_.cause += (found_.cause.empty() ? "" : " ") + sentence;
  }

  std::string wanted() const { return wanted_text(m_); }

  std::uint64_t others() const { return bytes_of_others(m_, found_); }

  void judge() {
    if (m_.source == MessageSource::caching_allocator || m_.source == MessageSource::malloc_async) {
      return judge_allocator();
    }
    auto sentences = sentences_without_figures(m_);
    set(sentences.kind, sentences.certainty, std::move(sentences.verdict), std::move(sentences.cause));
  }

  void judge_allocator() {
    const auto limit = m_.platform == MessagePlatform::mps ? m_.allowed : m_.capacity;
    if (m_.request_is_absurd) {
      return set(MessageCause::impossible, "certain",
                 "More than an exbibyte was requested: a size is wrong, for example a negative number or the "
                 "product of wrong dimensions.");
    }
    if (m_.requested && limit && *m_.requested > *limit) {
      return set(MessageCause::impossible, "certain",
                 m_.platform == MessagePlatform::mps
                     ? fmt::format("The request of {} alone is larger than the memory that MPS may use, {}.",
                                   format_bytes(*m_.requested), format_bytes(*limit))
                     : fmt::format("The request of {} alone is larger than the device, which has {}.",
                                   format_bytes(*m_.requested), format_bytes(*limit)));
    }
    if (!m_.requested) {
      return set_no_numbers();
    }
    if (m_.platform == MessagePlatform::mps) {
      return judge_mps();
    }
    if (m_.source == MessageSource::malloc_async) {
      return judge_malloc_async();
    }
    return m_.device_free ? judge_numbers() : judge_without_free();
  }

  void set_no_numbers() {
    set(MessageCause::no_numbers, "certain",
        fmt::format("Memory ran out{}. The message has too few numbers to find the cause.", wanted()));
  }

  void judge_mps() {
    if (!m_.reserved || !m_.allowed) {
      return set_no_numbers();
    }
    const std::uint64_t used = *m_.reserved + m_.other_allocations.value_or(0);
    if (used + *m_.requested <= *m_.allowed) {
      return set(MessageCause::unclear, "likely",
                 fmt::format("MPS refused {}, although {} of {} were in use. The message does not say why.",
                             format_bytes(*m_.requested), format_bytes(used), format_bytes(*m_.allowed)));
    }
    set(MessageCause::too_much, "likely",
        fmt::format("The process needs more memory than MPS may use{}, and {} of {} were in use.", wanted(),
                    format_bytes(used), format_bytes(*m_.allowed)));
  }

  /// The pool of cudaMallocAsync keeps freed memory, whose size the message does not contain.
  void judge_malloc_async() {
    if (!m_.allocated || !m_.capacity) {
      return set_no_numbers();
    }
    const std::uint64_t wanted_bytes = *m_.allocated + *m_.requested;
    if (m_.allowed && *m_.allowed < *m_.capacity && wanted_bytes > *m_.allowed) {
      return set(MessageCause::memory_fraction, "certain",
                 fmt::format("A memory fraction allows this process {}. Tensors used {} of it.",
                             format_bytes(*m_.allowed), format_bytes(*m_.allocated)));
    }
    if (wanted_bytes > *m_.capacity) {
      return set_tensors_exceed(*m_.allocated, *m_.requested, *m_.capacity);
    }
    set(MessageCause::unclear, "certain",
        fmt::format("Tensors used {} of {}, and {} more would fit. The rest is unused memory in the pool of "
                    "cudaMallocAsync, CUDA contexts or other processes. The message does not tell which.",
                    format_bytes(*m_.allocated), format_bytes(*m_.capacity), format_bytes(*m_.requested)));
  }

  void set_tensors_exceed(std::uint64_t allocated, std::uint64_t request, std::uint64_t capacity) {
    set(MessageCause::too_much, "certain",
        fmt::format("Tensors used {} of {}, and {} more were requested. Together this is {} more than the "
                    "device has.",
                    format_bytes(allocated), format_bytes(capacity), format_bytes(request),
                    format_bytes(allocated + request - capacity)));
  }

  /// Used for messages that do not contain the free memory. XPU does not report the free memory, ROCm may
  /// report a number that overflowed, and other messages may be truncated.
  void judge_without_free() {
    if (!m_.capacity || !m_.reserved || !m_.allocated) {
      return set_no_numbers();
    }
    const std::uint64_t request = *m_.requested, rest = *m_.unallocated(), capacity = *m_.capacity;
    const std::uint64_t outside = capacity - std::min(capacity, *m_.reserved);
    if (*m_.allocated + request > capacity) {
      return set_tensors_exceed(*m_.allocated, request, capacity);
    }
    if (outside >= request && m_.platform == MessagePlatform::xpu && request > kLargestXpuBuffer) {
      return set(
          MessageCause::buffer_limit, "likely",
          fmt::format("{} were requested in one block. Many Intel GPUs allow at most 4 GiB for one block, "
                      "even if more is free: only {} of {} were reserved.",
                      format_bytes(request), format_bytes(*m_.reserved), format_bytes(capacity)));
    }
    if (outside >= request) {
      return set(
          MessageCause::other_processes, "likely",
          fmt::format("This process had reserved only {} of {}. Other processes or libraries probably use "
                      "the rest.",
                      format_bytes(*m_.reserved), format_bytes(capacity)));
    }
    if (rest >= request) {
      return set(
          MessageCause::fragmented, "likely",
          fmt::format("Memory was fragmented: {} of the reserved memory were free, more than the {} that "
                      "were requested.",
                      format_bytes(rest), format_bytes(request)));
    }
    set(MessageCause::fragmented, "likely",
        fmt::format("Memory was probably fragmented: {} were free within reserved segments, and at most {} "
                    "outside of them. Neither is enough for the {} that were requested.",
                    format_bytes(rest), format_bytes(outside), format_bytes(request)));
  }

  void judge_numbers() {
    const std::uint64_t request = *m_.requested, free = *m_.device_free;
    if (m_.allowed && m_.reserved && *m_.reserved + request > *m_.allowed) {
      return judge_fraction();
    }
    if (free >= request) {
      return judge_room();
    }
    if (!m_.reserved) {
      return set(
          MessageCause::unclear, "certain",
          fmt::format("{} were requested, but only {} were free at the driver. The message does not say "
                      "how much memory PyTorch had reserved.",
                      format_bytes(request), format_bytes(free)));
    }
    if (free + m_.unallocated().value_or(0) >= request) {
      return judge_enough();
    }
    judge_missing();
  }

  void judge_fraction() {
    const std::uint64_t request = *m_.requested, free = *m_.device_free;
    set(MessageCause::memory_fraction, "certain",
        fmt::format("The device had {} free, but a memory fraction allows this process {}, of which it had "
                    "reserved {}.",
                    format_bytes(free), format_bytes(*m_.allowed), format_bytes(*m_.reserved)));
    if (m_.unallocated().value_or(0) >= request) {
      append_cause("Within this limit, memory was fragmented.");
    }
    if (free < request) {
      append_cause(fmt::format(
          "Without the fraction, the request of {} would still exceed the memory that is free at the driver.",
          format_bytes(request)));
    }
  }

  void judge_room() {
    const auto contexts = idle_contexts(m_);
    const char* const fraction =
        m_.names_fractions
            ? ""
            : "the program set a memory fraction (torch.cuda.set_per_process_memory_fraction), or ";
    set(MessageCause::refused_with_room, "likely",
        fmt::format("The device had {} free, more than the {} that were requested. Either {}another process "
                    "released memory between the request and the message, or the driver had no contiguous "
                    "addresses left (Windows).",
                    format_bytes(*m_.device_free), format_bytes(*m_.requested), fraction));
    if (contexts.count > 0) {
      append_cause(describe(contexts));
    }
  }

  static std::string describe(const IdleContexts& contexts) {
    return fmt::format(
        "{} other processes use {} to {} each, as much as a CUDA context without tensors. They "
        "are probably ranks of the same job that opened a context on this device.",
        contexts.count, format_bytes(contexts.least), format_bytes(contexts.most));
  }

  /// The free memory would be enough in one piece.
  void judge_enough() {
    const std::uint64_t request = *m_.requested, free = *m_.device_free, rest = *m_.unallocated();
    if (is_nearly_full() && others() + free >= request) {
      return set(
          MessageCause::other_processes, m_.processes.empty() ? "likely" : "certain",
          fmt::format("Other processes {} about {} of the device. Without them the request would have "
                      "fitted.",
                      m_.processes.empty() ? "seem to use" : "use", format_bytes(others())),
          fmt::format("The free memory was also fragmented: {} were free within reserved segments and {} "
                      "at the driver.",
                      format_bytes(rest), format_bytes(free)));
    }
    set(MessageCause::fragmented, "certain",
        fmt::format("Memory was fragmented: {} were free within reserved segments and {} at the driver, "
                    "together more than the {} that were requested. No single block was large enough.",
                    format_bytes(rest), format_bytes(free), format_bytes(request)));
    if (m_.in_pools) {
      append_cause("Part of the free memory may belong to private pools, which other requests cannot use.");
    } else if (is_nearly_full()) {
      append_cause(fmt::format(
          "The device is nearly full: tensors use {:.0f} % of the reserved memory. A setting against "
          "fragmentation saves {} at most.",
          100.0 * static_cast<double>(*m_.allocated) / static_cast<double>(*m_.reserved),
          format_bytes(rest)));
    }
  }

  void judge_missing() {
    const std::uint64_t request = *m_.requested, free = *m_.device_free, rest = m_.unallocated().value_or(0);
    const std::uint64_t missing = request - (free + rest), of_others = others();
    const auto contexts = idle_contexts(m_);
    if (contexts.count > 0 && contexts.bytes + free >= request && 2 * contexts.bytes >= of_others) {
      return set(MessageCause::idle_contexts, "likely", describe(contexts),
                 fmt::format("Together they use {}. Without them the request of {} would have fitted.",
                             format_bytes(contexts.bytes), format_bytes(request)));
    }
    if (of_others >= missing) {
      return judge_others(missing, of_others + free >= request);
    }
    set(MessageCause::too_much, "certain",
        fmt::format(
            "{} were missing. Fragmentation is not the cause: even with all {} that were reserved and "
            "free, the request of {} would not have fitted.",
            format_bytes(missing), format_bytes(rest), format_bytes(request)));
    if (contexts.count > 0) {
      append_cause(describe(contexts));
    } else if (of_others > 0) {
      append_cause(fmt::format("Other processes use about {}. That is less than the missing memory.",
                               format_bytes(of_others)));
    }
  }

  void judge_others(std::uint64_t missing, bool would_fit) {
    set(MessageCause::other_processes, m_.processes.empty() ? "likely" : "certain",
        fmt::format("Other processes {} about {} of the device. {}",
                    m_.processes.empty() ? "seem to use" : "use", format_bytes(others()),
                    would_fit
                        ? fmt::format("Without them the request would have fitted: {} were missing.",
                                      format_bytes(missing))
                        : fmt::format("That is more than the {} that were missing.", format_bytes(missing))));
    if (m_.processes.empty() && !m_.this_process) {
      append_cause("Part of this may be the CUDA context of this process, which takes 0.3 to 1 GiB.");
    }
  }

  /// Whether the unused part of the reserved memory is small enough to be normal.
  bool is_nearly_full() const {
    return m_.reserved &&
           static_cast<double>(m_.unallocated().value_or(0)) < kLargeRest * static_cast<double>(*m_.reserved);
  }

  const OutOfMemoryMessage& m_;
  MessageVerdict found_;
};

}  // namespace

MessageVerdict verdict_of(const OutOfMemoryMessage& message) { return Judge(message).result(); }

}  // namespace molgauge::allocator
