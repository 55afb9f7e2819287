#include "memgauge/explain/message_search.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memgauge/explain/message_numbers.h"

namespace molgauge::allocator {
namespace {

/// A log as one line: each run of spaces and line ends is one space. Frames (│), colours and marks of ranks
/// at the beginnings of lines are left out.
struct UnwrappedText {
  struct Line {
    std::size_t begin = 0;  ///< position in `text`
    std::optional<std::uint64_t> rank;
  };

  std::string text;
  std::vector<Line> lines;  ///< the lines of the log, in order

  /// The rank that the line of a position names, as in "[rank1]: ...".
  std::optional<std::uint64_t> rank_at(std::size_t position) const;
  /// Whether the word that contains a position is the first of its line.
  bool begins_line(std::size_t position) const;

 private:
  const Line* line_of(std::size_t position) const;
};

/// Frames of tables, as in the tracebacks of Rich.
constexpr std::array<std::string_view, 4> kFrames = {"│", "┃", "║", "|"};

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// Spaces at which a line must not end, as programs for chats and documents write them (U+00A0 and U+202F).
constexpr std::array<std::string_view, 2> kHardSpaces = {"\xC2\xA0", "\xE2\x80\xAF"};

/// Removes colours, and replaces each hard space by a space.
std::string plain_text(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto hard_space = std::find_if(kHardSpaces.begin(), kHardSpaces.end(), [&](std::string_view space) {
      return text.substr(i).starts_with(space);
    });
    if (hard_space != kHardSpaces.end()) {
      plain.push_back(' ');
      i += hard_space->size() - 1;
      continue;
    }
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (is_digit(text[i]) || text[i] == ';')) {
        ++i;
      }
      continue;
    }
    plain.push_back(text[i]);
  }
  return plain;
}

std::string_view without_frame(std::string_view line) {
  line = trimmed_end(trimmed_start(line));
  for (const std::string_view frame : kFrames) {
    if (line.starts_with(frame)) {
      line.remove_prefix(frame.size());
    }
    if (line.ends_with(frame)) {
      line.remove_suffix(frame.size());
    }
    line = trimmed_end(trimmed_start(line));
  }
  return line;
}

/// Removes "[rank1]:", "[default1]:", "1: " and "(RayWorker pid=4711)" from the beginning of a line.
std::string_view without_mark(std::string_view line, std::optional<std::uint64_t>& rank) {
  for (const std::string_view mark : {"[rank", "[default"}) {
    const std::size_t end = line.starts_with(mark) ? line.find(']') : std::string_view::npos;
    if (end != std::string_view::npos && end > mark.size() && is_digit(line[mark.size()])) {
      rank = count_after(line, mark);
      line.remove_prefix(end + 1);
      line.remove_prefix(line.starts_with(":") ? 1 : 0);
      return trimmed_start(line);
    }
  }
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) {
    ++digits;
  }
  if (digits > 0 && digits < 5 && line.substr(digits).starts_with(": ")) {
    return trimmed_start(line.substr(digits + 2));
  }
  const std::size_t end = line.starts_with("(") ? line.find(')') : std::string_view::npos;
  return end != std::string_view::npos && contains(line.substr(0, end), "pid=")
             ? trimmed_start(line.substr(end + 1))
             : line;
}

void append_words(std::string& text, std::string_view line) {
  bool in_space = false;
  for (const char letter : line) {
    const bool space = letter == ' ' || letter == '\t' || letter == '\r';
    if (!space || !in_space) {
      text.push_back(space ? ' ' : letter);
    }
    in_space = space;
  }
}

const UnwrappedText::Line* UnwrappedText::line_of(std::size_t position) const {
  const auto next = std::upper_bound(lines.begin(), lines.end(), position,
                                     [](std::size_t at, const Line& line) { return at < line.begin; });
  return next == lines.begin() ? nullptr : &*(next - 1);
}

std::optional<std::uint64_t> UnwrappedText::rank_at(std::size_t position) const {
  const Line* const line = line_of(position);
  return line == nullptr ? std::nullopt : line->rank;
}

bool UnwrappedText::begins_line(std::size_t position) const {
  const Line* const line = line_of(position);
  return line != nullptr && text.substr(line->begin, position - line->begin).find(' ') == std::string::npos;
}

UnwrappedText unwrapped(std::string_view plain) {
  UnwrappedText flat;
  flat.text.reserve(plain.size());
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    UnwrappedText::Line line;
    std::string_view content = without_frame(plain.substr(at, end - at));
    content = without_frame(without_mark(content, line.rank));
    at = end + 1;
    if (content.empty()) {
      continue;
    }
    if (!flat.text.empty()) {
      flat.text.push_back(' ');
    }
    line.begin = flat.text.size();
    append_words(flat.text, content);
    flat.lines.push_back(line);
  }
  return flat;
}

/// Maximum number of characters in a message, including the list of processes.
constexpr std::size_t kLongestMessage = std::size_t{16} * 1024;
/// Maximum number of messages that are read from one text.
constexpr std::size_t kMostMessages = 1000;

struct Beginning {
  std::string_view text;
  MessageSource source;
  MessagePlatform platform = MessagePlatform::cuda;
  std::string_view library = "";
  bool is_certain = true;
  bool begins_a_line = false;        ///< false matches the text anywhere
  std::string_view needs = "";       ///< a text that must follow within kNear characters
  std::string_view not_before = "";  ///< a text that must not follow directly
};

constexpr std::size_t kNear = 400;

using S = MessageSource;
using P = MessagePlatform;

/// For each source, the texts that identify its messages.
constexpr std::array kBeginnings = std::to_array<Beginning>({
    {"CUDA out of memory", S::caching_allocator},
    {"HIP out of memory", S::caching_allocator, P::rocm},
    {"XPU out of memory", S::caching_allocator, P::xpu},
    {"MPS backend out of memory", S::caching_allocator, P::mps},
    {"Allocation on device", S::malloc_async},
    {"NVML_SUCCESS ==", S::nvml, P::cuda, "", true, false, "CUDACachingAllocator"},
    {"Invalid buffer size: ", S::buffer_limit, P::mps},
    {"can NOT allocate memory block with size larger than 4GB", S::buffer_limit, P::xpu},
    {"CUDA error: out of memory", S::driver},
    {"CUDA driver error: out of memory", S::expandable},
    {"cuda runtime error (2)", S::driver},
    {"CUDA_ERROR_OUT_OF_MEMORY", S::driver},
    {"Triton Error [CUDA]: out of memory", S::driver},
    {"HIP error: out of memory", S::driver, P::rocm},
    {"UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", S::driver, P::xpu},
    {"CUBLAS_STATUS_ALLOC_FAILED", S::library, P::cuda, "cuBLAS", false},
    {"HIPBLAS_STATUS_ALLOC_FAILED", S::library, P::rocm, "hipBLAS", false},
    {"CUSOLVER_STATUS_ALLOC_FAILED", S::library, P::cuda, "cuSOLVER", false},
    {"CUSPARSE_STATUS_ALLOC_FAILED", S::library, P::cuda, "cuSPARSE", false},
    {"CUDNN_STATUS_ALLOC_FAILED", S::library, P::cuda, "cuDNN", false},
    {"CUFFT_ALLOC_FAILED", S::library, P::cuda, "cuFFT", false},
    {"Failed to CUDA calloc", S::library, P::cuda, "NCCL", false},
    {"Cuda failure 2 'out of memory'", S::library, P::cuda, "NCCL"},
    {"Cuda failure 'out of memory'", S::library, P::cuda, "NCCL"},
    {"HIP failure: 'out of memory'", S::library, P::rocm, "RCCL"},
    {"cudaErrorMemoryAllocation: out of memory", S::library, P::cuda, "Thrust or CUB"},
    {"Error out of memory at line", S::library, P::cuda, "bitsandbytes"},
    {"DefaultCPUAllocator: can't allocate memory", S::host, P::host},
    {"DefaultCPUAllocator: not enough memory", S::host, P::host},
    {"_ArrayMemoryError: Unable to allocate ", S::host, P::host, "NumPy"},
    {"MemoryError: Unable to allocate ", S::host, P::host, "NumPy"},
    {"MemoryError", S::host, P::host, "Python", true, true, "", ": Unable to allocate "},
    {"[Errno 12] Cannot allocate memory", S::host, P::host, "Linux", true},
    {"std::bad_alloc", S::host, P::host, "the C++ library", true, false, "", ": cuda"},
    {"is killed by signal: Killed", S::killed, P::host, "", false},
    {"Signal 9 (SIGKILL) received", S::killed, P::host, "", false},
    {"died with <Signals.SIGKILL: 9>", S::killed, P::host, "", false},
    {"oom-kill event", S::killed, P::host, "Slurm"},
    {"oom_kill event", S::killed, P::host, "Slurm"},
    {"out of memory: Killed process", S::killed, P::host, "Linux"},
    {"Out of memory: Killed process", S::killed, P::host, "Linux"},
    {"OOMKilled", S::killed, P::host, "the container runtime"},
    {"is killed by signal: Bus error", S::shared_memory, P::host},
    {"Unexpected bus error encountered in worker", S::shared_memory, P::host},
    {"unable to write to file </torch_", S::shared_memory, P::host, "", true, false, "No space left"},
    {"unable to allocate shared memory(shm)", S::shared_memory, P::host},
    {"Error while creating shared memory segment", S::shared_memory, P::host, "NCCL", false},
    {"No available memory for the cache blocks", S::serving_cache, P::cuda, "vLLM"},
    {"maximum number of tokens that can be stored in KV cache", S::serving_length, P::cuda, "vLLM"},
    {"KV cache is needed, which is larger than the available", S::serving_length, P::cuda, "vLLM"},
    {"Please try to increase --mem-fraction-static", S::serving_cache, P::cuda, "SGLang"},
    {"is less than desired GPU memory utilization", S::serving_start, P::cuda, "vLLM"},
});

struct Place {
  std::size_t at = 0;
  const Beginning* beginning = nullptr;
};

bool is_there(const UnwrappedText& text, std::size_t at, const Beginning& beginning) {
  const std::string_view rest = std::string_view(text.text).substr(at + beginning.text.size());
  if (!beginning.needs.empty() && !contains(rest.substr(0, kNear), beginning.needs)) {
    return false;
  }
  if (!beginning.not_before.empty() && rest.starts_with(beginning.not_before)) {
    return false;
  }
  if (!beginning.begins_a_line) {
    return true;
  }
  // The error itself, and not a line of code such as "except MemoryError:".
  const bool ends = rest.empty() || rest.front() == ':' || rest.front() == ' ';
  const bool begins = at == 0 || text.text[at - 1] == ' ' || text.text[at - 1] == '.';
  return begins && ends && text.begins_line(at);
}

/// The places of all messages, in the order of the text. If one place has several beginnings, the first of
/// the table counts.
std::vector<Place> places(const UnwrappedText& text) {
  std::vector<Place> found;
  for (const auto& beginning : kBeginnings) {
    std::size_t count = 0;
    for (std::size_t at = text.text.find(beginning.text); at != std::string::npos && count < kMostMessages;
         at = text.text.find(beginning.text, at + 1)) {
      if (is_there(text, at, beginning)) {
        found.push_back({at, &beginning});
        ++count;
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Place& left, const Place& right) {
    return left.at + left.beginning->text.size() < right.at + right.beginning->text.size();
  });
  // "_ArrayMemoryError: Unable to allocate" contains "MemoryError: Unable to allocate".
  const auto last = std::unique(found.begin(), found.end(), [](const Place& left, const Place& right) {
    return left.at + left.beginning->text.size() == right.at + right.beginning->text.size();
  });
  found.erase(last, found.end());
  return found;
}

bool is_repeated(const OutOfMemoryMessage& left, const OutOfMemoryMessage& right) {
  const bool same_writer = left.library == right.library || left.platform == MessagePlatform::host;
  return left.source == right.source && left.platform == right.platform && same_writer &&
         (left.rank == right.rank || !left.rank || !right.rank) && left.device == right.device &&
         left.requested == right.requested && left.capacity == right.capacity &&
         left.device_free == right.device_free && left.allocated == right.allocated &&
         left.reserved == right.reserved;
}

/// Markers of frameworks. A marker counts only in a text that mentions memory.
constexpr std::array kFrameworks = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"StatusOr access: RESOURCE_EXHAUSTED", "PyTorch/XLA"},
    {"torch_xla", "PyTorch/XLA"},
    {"OOM when allocating tensor", "TensorFlow"},
    {"errors_impl.ResourceExhaustedError", "TensorFlow"},
    {"tensorflow/core", "TensorFlow"},
    {"JaxRuntimeError", "JAX"},
    {"XlaRuntimeError", "JAX"},
    {"RESOURCE_EXHAUSTED: Out of memory", "JAX"},
    {"Out of memory error on GPU", "PaddlePaddle"},
    {"paddle::memory", "PaddlePaddle"},
    {"cupy.cuda.memory.OutOfMemoryError", "CuPy"},
    {"cupy_backends", "CuPy"},
    {"(allocated so far:", "CuPy"},
    {"ggml_", "llama.cpp"},
    {"ggml-", "llama.cpp"},
    {"llama runner process", "llama.cpp"},
    {"NPU out of memory", "Ascend (torch_npu)"},
    {"torch_npu", "Ascend (torch_npu)"},
    {"MUSA out of memory", "Moore Threads (torch_musa)"},
    {"MLU out of memory", "Cambricon (torch_mlu)"},
    {"onnxruntime", "ONNX Runtime"},
    {"OutOfMemory (", "TensorRT"},
    {"Error Code 2: OutOfMemory", "TensorRT"},
    {"cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "Numba"},
    {"rmm::", "RAPIDS (RMM)"},
    {"CUDA failed with error out of memory", "CTranslate2"},
    {"cudaMalloc retry failed: out of memory", "MXNet"},
    {"xgboost", "XGBoost"},
    {"mindspore", "MindSpore"},
});

constexpr std::array<std::string_view, 9> kMemoryWords = {
    "out of memory", "out_of_memory", "OUT_OF_MEMORY",      "OutOfMemory",      "OOM",
    "Out of memory", "bad_alloc",     "RESOURCE_EXHAUSTED", "ailed to allocate"};

bool mentions_memory(std::string_view text) {
  return std::any_of(kMemoryWords.begin(), kMemoryWords.end(),
                     [&](std::string_view word) { return contains(text, word); });
}

/// The number of characters of UTF-8 text.
std::size_t width_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) & 0xC0U) != 0x80U && letter != '\r';
  }));
}

template <typename Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

/// The number of characters of the longest line.
std::size_t longest_line(std::string_view plain) {
  std::size_t longest = 0;
  for_each_line(plain, [&](std::string_view line) { longest = std::max(longest, width_of(line)); });
  return longest;
}

/// Joins each line of this width with the next line.
std::string joined(std::string_view plain, std::size_t width) {
  std::string text;
  text.reserve(plain.size());
  for_each_line(plain, [&](std::string_view line) {
    const bool is_cut = width_of(line) == width;
    text += is_cut && line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
    text += is_cut ? "" : "\n";
  });
  return text;
}

/// The number of messages plus the number of their figures.
std::size_t count_facts(const std::vector<OutOfMemoryMessage>& messages) {
  std::size_t count = messages.size();
  for (const OutOfMemoryMessage& message : messages) {
    for (const auto& figure : {message.rank, message.device, message.requested, message.capacity,
                               message.device_free, message.allocated, message.reserved, message.in_pools,
                               message.allowed, message.this_process, message.other_allocations}) {
      count += figure ? 1 : 0;
    }
    count += message.processes.size();
    count += (message.request_is_absurd ? 1 : 0) + (message.free_overflowed ? 1 : 0);
  }
  return count;
}

std::vector<OutOfMemoryMessage> messages_in(std::string_view plain) {
  const UnwrappedText flat = unwrapped(plain);
  const auto found = places(flat);
  std::vector<OutOfMemoryMessage> messages;
  for (std::size_t i = 0; i < found.size() && messages.size() < kMostMessages; ++i) {
    const auto& [at, beginning] = found[i];
    OutOfMemoryMessage message;
    message.source = beginning->source;
    message.platform = beginning->platform;
    message.library = beginning->library;
    message.is_certain = beginning->is_certain;
    message.rank = flat.rank_at(at);
    const std::size_t end = i + 1 < found.size() ? found[i + 1].at : flat.text.size();
    read_figures(std::string_view(flat.text).substr(at, std::min(end - at, kLongestMessage)), message);
    if (std::none_of(messages.begin(), messages.end(),
                     [&](const OutOfMemoryMessage& other) { return is_repeated(other, message); })) {
      messages.push_back(std::move(message));
    }
  }
  return messages;
}

}  // namespace

std::vector<OutOfMemoryMessage> read_messages(std::string_view text) {
  constexpr std::size_t kNarrowest = 20, kWidest = 500;
  const std::string plain = plain_text(text);
  std::vector<OutOfMemoryMessage> messages = messages_in(plain);
  const std::size_t longest = longest_line(plain);
  if (longest >= kNarrowest && longest <= kWidest) {
    // A terminal cuts lines at its width, also within words and numbers. If nothing was cut there, joining
    // two lines makes one word of two. Then fewer figures are found.
    std::vector<OutOfMemoryMessage> of_terminal = messages_in(joined(plain, longest));
    if (count_facts(of_terminal) >= count_facts(messages)) {
      return of_terminal;
    }
  }
  return messages;
}

std::string_view foreign_framework(std::string_view text) {
  if (mentions_memory(text)) {
    for (const auto& [marker, name] : kFrameworks) {
      if (contains(text, marker)) {
        return name;
      }
    }
  }
  return {};
}

}  // namespace molgauge::allocator
