#include <utility>

#include <fmt/format.h>

#include "memgauge/explain/message_verdict.h"

namespace molgauge::allocator {
namespace {

class Adviser {
 public:
  Adviser(const OutOfMemoryMessage& message, const MessageVerdict& verdict) : m_(message), found_(verdict) {
    advise();
  }

  std::vector<MessageAdvice> result() { return std::move(advice_); }

 private:
  void add(const char* certainty, std::string change) { advice_.push_back({certainty, std::move(change)}); }

  /// Recommends the setting against fragmentation, under its name in this version of PyTorch.
  void add_settings(const char* certainty) {
    if (m_.platform == MessagePlatform::xpu || m_.source == MessageSource::malloc_async) {
      return;
    }
    if (m_.platform == MessagePlatform::rocm) {
      return add(certainty,
                 "PYTORCH_HIP_ALLOC_CONF=max_split_size_mb:128, because builds for ROCm ignore "
                 "expandable_segments");
    }
    if (m_.has_expandable_segments) {
      add(certainty,
          "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (on Linux, for tensors that are not shared "
          "between processes)");
      return add("possible",
                 "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128, if expandable segments cannot be used");
    }
    add(certainty, "PyTorch 2.1 or later with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (on Linux)");
    add("possible", m_.versions.starts_with("1.0") || m_.versions.starts_with("1.4")
                        ? "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128, from PyTorch 1.10"
                        : "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128");
  }

  void add_smaller(const char* certainty) {
    add(certainty, "a smaller batch, or shorter sequences or smaller images");
    add("possible", "in training: activation checkpointing, autocast to bf16, an optimizer with 8-bit state");
    add("possible", "in evaluation: torch.inference_mode(), if the program computes without it");
  }

  void add_other_processes() {
    if (m_.source == MessageSource::serving_start) {
      add("likely", "end the other processes on the device, which nvidia-smi shows");
      return add("likely", "a smaller gpu_memory_utilization");
    }
    for (const auto& process : m_.processes) {
      add("likely",
          fmt::format("end process {}, if it is not part of your job, or run on another device", process.id));
    }
    if (m_.processes.empty()) {
      add("likely", "find the other processes with nvidia-smi and end them, or run on another device");
    }
    add_smaller("likely");
  }

  void add_rank_devices() {
    add("likely",
        "torch.cuda.set_device(local_rank) in each rank, before its first call of CUDA and before "
        "init_process_group()");
    add("likely",
        "torch.load(path, map_location=\"cpu\"), because the default opens the device that saved the file");
    add("possible", "look at the processes with nvidia-smi while the program runs");
  }

  void add_serving() {
    if (m_.source == MessageSource::serving_length) {
      add("certain", "a smaller maximum length of a sequence (max_model_len, --context-length)");
    } else {
      add("likely", "a smaller max_num_batched_tokens or max_num_seqs, which the first forward pass uses");
    }
    add("likely", m_.library == "SGLang" ? "a larger --mem-fraction-static, if the device has free memory"
                                         : "a larger gpu_memory_utilization, if the device has free memory");
    add("likely", "quantised weights, or tensor parallelism over more devices");
  }

  void add_buffer() {
    add("likely",
        "split this tensor: compute the operation in parts, for example attention or logits in slices");
    add("possible", "a smaller batch, if the tensor grows with the batch");
  }

  void add_too_much() {
    add_smaller("likely");
    const auto rest = m_.unallocated();
    if (rest.value_or(0) > 0 && static_cast<double>(*rest) > kLargeRest * static_cast<double>(*m_.reserved)) {
      add_settings("possible");
    }
    if (m_.platform == MessagePlatform::mps) {
      add("possible",
          "PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 lifts the limit, but the computer may then stall");
    }
  }

  void advise() {
    switch (found_.kind) {
      case MessageCause::fragmented:
        add_settings("likely");
        add("possible", "sizes that repeat: pad batches to few sizes, or start with the largest batch");
        return add("possible", "a smaller batch");
      case MessageCause::memory_fraction:
        add("likely", "a larger share in torch.cuda.set_per_process_memory_fraction(), or none");
        return add_smaller("likely");
      case MessageCause::refused_with_room:
        if (!m_.names_fractions) {
          add("likely",
              "a larger share in torch.cuda.set_per_process_memory_fraction(), if the program calls it");
        }
        return add("possible", "run nvidia-smi while the program runs, to see other processes");
      case MessageCause::idle_contexts:
        return add_rank_devices();
      case MessageCause::other_processes:
        return add_other_processes();
      case MessageCause::impossible:
        return add("likely", "check the shapes in the line that the traceback names");
      case MessageCause::buffer_limit:
        return add_buffer();
      case MessageCause::serving_cache:
        return add_serving();
      case MessageCause::outside_allocator:
        add("likely", "check with nvidia-smi whether other processes use the device");
        add("possible", "torch.cuda.empty_cache() before the call, to return memory to the driver");
        return add_smaller("likely");
      case MessageCause::host:
      case MessageCause::killed:
        return add("likely", "fewer DataLoader workers, smaller batches, or data that is read in parts");
      case MessageCause::shared_memory:
        add("likely", "more shared memory: docker run --shm-size=8g, or a larger /dev/shm");
        return add("likely", "fewer DataLoader workers (num_workers=0 needs no shared memory)");
      case MessageCause::unclear:
        add("possible", "look at other processes with nvidia-smi while the program runs");
        return add_smaller("possible");
      case MessageCause::too_much:
        return add_too_much();
      case MessageCause::no_numbers:
        return add_smaller("possible");
    }
  }

  const OutOfMemoryMessage& m_;
  const MessageVerdict& found_;
  std::vector<MessageAdvice> advice_;
};

}  // namespace

std::vector<MessageAdvice> advice_for(const OutOfMemoryMessage& message, const MessageVerdict& verdict) {
  return Adviser(message, verdict).result();
}

std::string how_to_record(const OutOfMemoryMessage& message) {
  const bool is_of_server = message.source == MessageSource::serving_cache ||
                            message.source == MessageSource::serving_length ||
                            message.source == MessageSource::serving_start;
  if (message.platform == MessagePlatform::host || message.platform == MessagePlatform::mps || is_of_server) {
    return "";
  }
  return fmt::format(
      "The message shows sums only. A snapshot shows who holds the memory. Molgauge can simulate changes "
      "with it (PyTorch 2.1 or later):\n"
      "  {0}._record_memory_history(max_entries=100000)   # before the work\n"
      "  {0}._dump_snapshot(\"snapshot.pickle\")             # after the error\n"
      "  molgauge memory explain snapshot.pickle\n"
      "Or let memgauge do both: python -m memgauge run train.py\n",
      message.platform == MessagePlatform::xpu ? "torch.xpu.memory" : "torch.cuda.memory");
}

}  // namespace molgauge::allocator
