#include "memory/allocator/explain/message_explanation.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/bytes.h"
#include "core/error.h"
#include "core/json_text.h"
#include "memory/allocator/explain/oom_message.h"

namespace headroom::allocator {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMessageVersion = 1;
constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

/// A CUDA context with its libraries takes 0.3 to 1 GiB. If more memory than this constant lies outside
/// the allocator, it belongs to other processes or to libraries that allocate their own memory.
constexpr std::uint64_t kOrdinaryContext = kGibibyte + kGibibyte / 2;

/// Reserved memory that no tensor uses counts as large if it is at least this share of all reserved memory.
/// Free ends of segments explain smaller shares.
constexpr double kLargeRest = 0.2;

enum class Verdict {
  fragmented,         ///< free memory was sufficient but not contiguous
  too_much,           ///< the process needs more than the card has
  other_processes,    ///< other processes use the missing memory
  memory_fraction,    ///< the memory fraction of the process was reached
  impossible,         ///< the request alone is larger than the card
  refused_with_room,  ///< the card had room, and the message does not say why the request was refused
  outside_allocator,  ///< the driver or a library found no memory
  host,               ///< the main memory of the computer ran out
  no_numbers,         ///< the message was cut off
};

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fragmented:
      return "fragmented";
    case Verdict::too_much:
      return "too_much";
    case Verdict::other_processes:
      return "other_processes";
    case Verdict::memory_fraction:
      return "memory_fraction";
    case Verdict::impossible:
      return "impossible";
    case Verdict::refused_with_room:
      return "refused_with_room";
    case Verdict::outside_allocator:
      return "outside_allocator";
    case Verdict::host:
      return "host";
    case Verdict::no_numbers:
      break;
  }
  return "no_numbers";
}

struct Advice {
  const char* certainty;  ///< "certain", "likely", "possible"
  std::string change;
};

struct Figure {
  std::string meaning;
  std::uint64_t bytes = 0;
};

const char* name_of(MessagePlatform platform) {
  switch (platform) {
    case MessagePlatform::rocm:
      return "ROCm";
    case MessagePlatform::xpu:
      return "XPU";
    case MessagePlatform::mps:
      return "MPS";
    case MessagePlatform::host:
      return "CPU";
    case MessagePlatform::cuda:
      break;
  }
  return "CUDA";
}

class MessageJudge {
 public:
  explicit MessageJudge(OutOfMemoryMessage message) : message_(std::move(message)) {
    find_own_process();
    find_figures();
    judge();
    advise();
  }

  std::string title(const std::string& source) const {
    return fmt::format("{}: out-of-memory message of PyTorch{}, {}{}", source,
                       message_.versions.empty() ? "" : " " + message_.versions, name_of(message_.platform),
                       message_.device ? fmt::format(" device {}", *message_.device) : "");
  }

  std::string text(const std::string& source) const {
    std::string text = title(source) + "\n\n" + verdict_ + "\n";
    if (!cause_.empty()) {
      text += cause_ + "\n";
    }
    if (!figures_.empty()) {
      text += "\nThe numbers:\n";
      for (const auto& figure : figures_) {
        text += fmt::format("  {:>10}  {}\n", format_bytes(figure.bytes), figure.meaning);
      }
    }
    if (!advice_.empty()) {
      text += "\nChanges that can help:\n";
      for (const auto& advice : advice_) {
        text += fmt::format("  {:<8}  {}\n", advice.certainty, advice.change);
      }
    }
    return text + "\n" + how_to_record();
  }

  std::string json(const std::string& source) const {
    Json json = {{"format_version", kMessageVersion},
                 {"kind", "message_explanation"},
                 {"source", source},
                 {"platform", name_of(message_.platform)},
                 {"versions", message_.versions},
                 {"device", number(message_.device)},
                 {"requested_bytes", number(message_.requested)},
                 {"capacity_bytes", number(message_.capacity)},
                 {"device_free_bytes", number(message_.device_free)},
                 {"allocated_bytes", number(message_.allocated)},
                 {"reserved_bytes", number(message_.reserved)},
                 {"private_pool_bytes", number(message_.in_pools)},
                 {"allowed_bytes", number(message_.allowed)},
                 {"this_process_bytes", number(message_.this_process)},
                 {"other_bytes", number(others_)},
                 {"verdict", name_of(kind_)},
                 {"certainty", certainty_},
                 {"verdict_text", verdict_},
                 {"cause_text", cause_},
                 {"cure_text", cure_text()},
                 {"holders", Json::array()},
                 {"cures", Json::array()}};
    json["processes"] = Json::array();
    for (const auto& process : message_.processes) {
      json["processes"].push_back({{"id", process.id}, {"bytes", process.bytes}});
    }
    json["advice"] = Json::array();
    for (const auto& advice : advice_) {
      json["advice"].push_back({{"certainty", advice.certainty}, {"change", advice.change}});
    }
    json["record"] = how_to_record();
    return json_text(json);
  }

  std::size_t device() const { return static_cast<std::size_t>(message_.device.value_or(0)); }

 private:
  static Json number(const std::optional<std::uint64_t>& value) {
    return value ? Json(*value) : Json(nullptr);
  }

  void add(const std::optional<std::uint64_t>& bytes, std::string meaning) {
    if (bytes) {
      figures_.push_back({std::move(meaning), *bytes});
    }
  }

  /// Finds this process in the list. In a container, PyTorch does not recognise its own process and lists it
  /// as another process. This process uses the memory of the allocator plus a CUDA context.
  void find_own_process() {
    auto& listed = message_.processes;
    if (message_.this_process || !message_.reserved) {
      return;
    }
    const auto own = std::find_if(listed.begin(), listed.end(), [&](const ListedProcess& process) {
      return process.bytes >= *message_.reserved && process.bytes - *message_.reserved <= kOrdinaryContext;
    });
    if (own != listed.end()) {
      message_.this_process = own->bytes;
      listed.erase(own);
    }
  }

  void find_figures() {
    const auto& m = message_;
    add(m.requested, "size of the request that failed");
    add(m.capacity, "memory of the device");
    add(m.allowed, m.platform == MessagePlatform::mps ? "that MPS may use"
                                                      : "maximum of this process, set by a memory fraction");
    add(m.device_free, "free at the driver, after PyTorch had released its unused segments");
    add(m.reserved, "reserved by PyTorch's allocator in this process");
    add(m.allocated, "of them in use by tensors, rounded up to blocks");
    add(m.in_pools, "of the tensors in private pools (CUDA graphs, MemPool)");
    add(m.unallocated(), "reserved but free, in segments that still contain a tensor");
    if (m.this_process && m.reserved && *m.this_process > *m.reserved) {
      add(*m.this_process - *m.reserved,
          "used by this process outside the allocator (CUDA context, libraries)");
    }
    for (const auto& process : m.processes) {
      add(process.bytes, fmt::format("used by process {}", process.id));
    }
    if (m.platform == MessagePlatform::mps) {
      add(m.other_allocations, "used outside of PyTorch's allocator");
      return;
    }
    if (m.capacity && m.device_free && m.reserved) {
      const std::uint64_t known = *m.device_free + std::max(*m.reserved, m.this_process.value_or(0));
      others_ = *m.capacity - std::min(*m.capacity, known);
      if (!m.this_process) {
        add(others_, "neither free nor reserved: the CUDA context and other processes");
      } else if (m.processes.empty()) {
        add(others_, "used by other processes, which the message does not list");
      }
    }
  }

  std::uint64_t listed() const {
    std::uint64_t bytes = 0;
    for (const auto& process : message_.processes) {
      bytes += process.bytes;
    }
    return bytes;
  }

  /// Bytes of other processes: the listed memory, or the unlisted memory if it is larger. Unlisted memory
  /// that a CUDA context explains does not count.
  std::uint64_t of_others() const {
    const std::uint64_t unlisted = others_.value_or(0);
    const std::uint64_t context = message_.this_process ? kGibibyte / 4 : kOrdinaryContext;
    return std::max(listed(), unlisted > context ? unlisted : 0);
  }

  void set(Verdict kind, const char* certainty, std::string text) {
    kind_ = kind;
    certainty_ = certainty;
    verdict_ = std::move(text);
  }

  void judge() {
    const auto& m = message_;
    if (m.source == MessageSource::host) {
      return set(Verdict::host, "certain",
                 fmt::format("The memory of the computer ran out, not the memory of a GPU{}.", wanted()));
    }
    if (m.source == MessageSource::driver || m.source == MessageSource::library) {
      return judge_outside();
    }
    if (m.request_is_absurd || (m.requested && m.capacity && *m.requested > *m.capacity)) {
      return set(Verdict::impossible, "certain",
                 m.request_is_absurd
                     ? "More than an exbibyte was requested: a size is wrong, for example a negative number "
                       "or the product of wrong dimensions."
                     : fmt::format("The request of {} alone is larger than the device, which has {}.",
                                   format_bytes(*m.requested), format_bytes(*m.capacity)));
    }
    if (m.platform == MessagePlatform::mps) {
      return set(Verdict::too_much, "likely",
                 fmt::format("The process needs more memory than MPS may use{}.", wanted()));
    }
    if (!m.requested || !m.device_free) {
      return judge_without_free();
    }
    judge_numbers();
  }

  std::string wanted() const {
    return message_.requested ? fmt::format(": {} were requested", format_bytes(*message_.requested)) : "";
  }

  void judge_outside() {
    const auto& m = message_;
    set(Verdict::outside_allocator, m.source == MessageSource::library ? "likely" : "certain",
        m.source == MessageSource::library
            ? fmt::format("{} found no memory for its own use. It allocates from the driver, but PyTorch's "
                          "allocator or other processes used the rest.",
                          m.library)
            : "The driver found no memory for something outside of PyTorch's allocator: a CUDA context, a "
              "kernel, a library or another process. The message does not contain numbers.");
  }

  /// Used for messages that do not contain the free memory. XPU does not report the free memory, and other
  /// messages may be truncated.
  void judge_without_free() {
    const auto& m = message_;
    if (m.requested && m.capacity && m.reserved) {
      const std::uint64_t rest = m.unallocated().value_or(0);
      if (rest >= *m.requested) {
        return set(Verdict::fragmented, "likely",
                   fmt::format("Memory was fragmented: {} of the reserved memory were free, more than the {} "
                               "that were requested.",
                               format_bytes(rest), format_bytes(*m.requested)));
      }
      return set(Verdict::too_much, "likely",
                 fmt::format("Tensors used {} of {}, and {} more were requested.", format_bytes(*m.allocated),
                             format_bytes(*m.capacity), format_bytes(*m.requested)));
    }
    set(Verdict::no_numbers, "certain",
        fmt::format("Memory ran out{}. The message has too few numbers to find the cause.", wanted()));
  }

  void judge_numbers() {
    const auto& m = message_;
    const std::uint64_t request = *m.requested, free = *m.device_free, rest = m.unallocated().value_or(0);
    const std::uint64_t reserved = m.reserved.value_or(m.allocated.value_or(0));
    if (m.allowed && reserved + request > *m.allowed && free >= request) {
      set(Verdict::memory_fraction, "certain",
          fmt::format("The device had {} free, but a memory fraction allows this process {}, of which it had "
                      "reserved {}.",
                      format_bytes(free), format_bytes(*m.allowed), format_bytes(reserved)));
      cause_ = rest >= request ? "Within this limit, memory was fragmented." : "";
      return;
    }
    if (free >= request) {
      return set(Verdict::refused_with_room, "likely",
                 fmt::format("The device had {} free, more than the {} that were requested. Either the "
                             "program set a memory fraction (torch.cuda.set_per_process_memory_fraction), or "
                             "another process released memory between the request and the message, or the "
                             "driver had no contiguous addresses left (Windows).",
                             format_bytes(free), format_bytes(request)));
    }
    if (free + rest >= request && (!is_nearly_full() || of_others() < request)) {
      set(Verdict::fragmented, "certain",
          fmt::format("Memory was fragmented: {} were free within reserved segments and {} at the driver, "
                      "together more than the {} that were requested. No single block was large enough.",
                      format_bytes(rest), format_bytes(free), format_bytes(request)));
      if (m.in_pools) {
        cause_ = "Part of the free memory may belong to private pools, which other requests cannot use.";
      } else if (is_nearly_full()) {
        cause_ = fmt::format(
            "The device is nearly full: tensors use {:.0f} % of the reserved memory. A setting against "
            "fragmentation saves {} at most.",
            100.0 * static_cast<double>(*m.allocated) / static_cast<double>(reserved), format_bytes(rest));
      }
      return;
    }
    const std::uint64_t missing = request - std::min(request, free + rest);
    if (of_others() >= missing) {
      set(Verdict::other_processes, m.processes.empty() ? "likely" : "certain",
          fmt::format(
              "Other processes {} about {} of the device. Without them the request would have fitted: {} "
              "were missing.",
              m.processes.empty() ? "seem to use" : "use", format_bytes(of_others()), format_bytes(missing)));
      cause_ = m.processes.empty() && !m.this_process
                   ? "Part of this may be the CUDA context of this process, which takes 0.3 to 1 GiB."
                   : "";
      return;
    }
    set(Verdict::too_much, "certain",
        fmt::format("The process needs at least {} more than the device has. Fragmentation is not the cause: "
                    "even with all {} that were reserved and free, the request of {} would not have fitted.",
                    format_bytes(missing), format_bytes(rest), format_bytes(request)));
    if (of_others() > 0) {
      cause_ = fmt::format("Other processes use about {}. That is less than the missing memory.",
                           format_bytes(of_others()));
    }
  }

  /// Whether the unused part of the reserved memory is small enough to be normal.
  bool is_nearly_full() const {
    return message_.reserved && static_cast<double>(message_.unallocated().value_or(0)) <
                                    kLargeRest * static_cast<double>(*message_.reserved);
  }

  void advise_add(const char* certainty, std::string change) {
    advice_.push_back({certainty, std::move(change)});
  }

  /// Recommends the setting against fragmentation, under its name in this version of PyTorch.
  void advise_settings(const char* certainty) {
    const auto& m = message_;
    if (m.platform == MessagePlatform::xpu || m.source == MessageSource::malloc_async) {
      return;
    }
    if (m.platform == MessagePlatform::rocm) {
      advise_add(certainty,
                 "PYTORCH_HIP_ALLOC_CONF=max_split_size_mb:128, because builds for ROCm ignore "
                 "expandable_segments");
      return;
    }
    if (m.has_expandable_segments) {
      advise_add(
          certainty,
          "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (on Linux, for tensors that are not shared "
          "between processes)");
      advise_add("possible",
                 "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128, if expandable segments cannot be used");
      return;
    }
    advise_add(certainty,
               "PyTorch 2.1 or later with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (on Linux)");
    advise_add("possible", m.versions.starts_with("1.0") || m.versions.starts_with("1.4")
                               ? "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128, from PyTorch 1.10"
                               : "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128");
  }

  void advise_smaller(const char* certainty) {
    advise_add(certainty, "a smaller batch, or shorter sequences or smaller images");
    advise_add("possible",
               "in training: activation checkpointing, autocast to bf16, an optimizer with 8-bit state");
    advise_add("possible", "in evaluation: torch.inference_mode(), if the program computes without it");
  }

  void advise() {
    const auto& m = message_;
    switch (kind_) {
      case Verdict::fragmented:
        advise_settings("likely");
        advise_add("possible",
                   "sizes that repeat: pad batches to few sizes, or start with the largest batch");
        advise_add("possible", "a smaller batch");
        return;
      case Verdict::memory_fraction:
        advise_add("certain", "a larger share in torch.cuda.set_per_process_memory_fraction(), or none");
        return advise_smaller("likely");
      case Verdict::refused_with_room:
        advise_add("likely",
                   "a larger share in torch.cuda.set_per_process_memory_fraction(), if the program calls it");
        advise_add("possible", "run nvidia-smi while the program runs, to see other processes");
        return;
      case Verdict::other_processes:
        for (const auto& process : m.processes) {
          advise_add("likely", fmt::format("end process {}, or run on another device", process.id));
        }
        if (m.processes.empty()) {
          advise_add("likely",
                     "find the other processes with nvidia-smi and end them, or run on another device");
        }
        return advise_smaller("likely");
      case Verdict::impossible:
        advise_add("certain", "check the shapes in the line that the traceback names");
        return;
      case Verdict::outside_allocator:
        advise_add("likely", "check with nvidia-smi whether other processes use the device");
        advise_add("possible", "torch.cuda.empty_cache() before the call, to return memory to the driver");
        return advise_smaller("likely");
      case Verdict::host:
        advise_add("likely", "fewer DataLoader workers, smaller batches, or data that is read in parts");
        return;
      case Verdict::too_much:
        advise_smaller("likely");
        if (m.unallocated().value_or(0) > 0 && m.reserved &&
            static_cast<double>(*m.unallocated()) > kLargeRest * static_cast<double>(*m.reserved)) {
          advise_settings("possible");
        }
        if (m.platform == MessagePlatform::mps) {
          advise_add("possible",
                     "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 lifts the limit, but the computer may then stall");
        }
        return;
      case Verdict::no_numbers:
        return advise_smaller("possible");
    }
  }

  std::string cure_text() const {
    return advice_.empty() ? "" : fmt::format("{}: {}.", advice_.front().certainty, advice_.front().change);
  }

  std::string how_to_record() const {
    if (message_.source == MessageSource::host || message_.platform == MessagePlatform::mps) {
      return "";
    }
    const char* const memory =
        message_.platform == MessagePlatform::xpu ? "torch.xpu.memory" : "torch.cuda.memory";
    return fmt::format(
        "The message shows sums only. A snapshot shows who holds the memory. Headroom can simulate changes "
        "with it (PyTorch 2.1 or later):\n"
        "  {0}._record_memory_history(max_entries=100000)   # before the work\n"
        "  {0}._dump_snapshot(\"snapshot.pickle\")             # after the error\n"
        "  headroom memory explain snapshot.pickle\n"
        "Or let Headroom do both: python -m headroom_memory run train.py\n",
        memory);
  }

  OutOfMemoryMessage message_;
  std::vector<Figure> figures_;
  std::vector<Advice> advice_;
  std::optional<std::uint64_t> others_;
  Verdict kind_ = Verdict::no_numbers;
  const char* certainty_ = "certain";
  std::string verdict_, cause_;
};

}  // namespace

MemoryExplanation explain_message(std::string_view text, const std::string& source) {
  auto message = read_message(text);
  if (!message) {
    throw InputError(fmt::format(
        "{}: the text does not contain an out-of-memory message of PyTorch. Include the line that "
        "begins with 'torch.OutOfMemoryError' or 'RuntimeError: CUDA out of memory'",
        source));
  }
  const MessageJudge judged(std::move(*message));
  MemoryExplanation explanation;
  explanation.source = source;
  explanation.format = "out-of-memory message";
  explanation.device = judged.device();
  explanation.text = judged.text(source);
  explanation.json = judged.json(source);
  return explanation;
}

}  // namespace headroom::allocator
