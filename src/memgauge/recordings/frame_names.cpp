#include "memgauge/recordings/frame_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace molgauge::allocator {
namespace {

constexpr std::size_t kFrames = 5, kFramesOfTheUser = 4;
constexpr std::size_t kLongestName = 80;

struct FrameText {
  std::string_view name, file;
  std::uint64_t line;
  /// For compiled code: its node, and the source lines that it was compiled from. The texts are empty if they
  /// are not stored.
  std::string_view node = {}, original = {};
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t count>
bool begins_with_any(std::string_view text, const std::array<std::string_view, count>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool is_python(const FrameText& frame) {
  return frame.file.ends_with(".py") || (frame.file.starts_with("<") && frame.line > 0);
}

/// Whether the file belongs to Python on Windows, for example C:/Python311/Lib/threading.py.
bool is_in_windows_library(std::string_view file) {
  return file.size() > 2 && file[1] == ':' && contains(file, "/Lib/") && !contains(file, "/site-packages/");
}

/// Whether the frame belongs to a debugger, profiler, notebook or launcher. They run the code of the user and
/// request no memory.
bool is_tool(const FrameText& frame) {
  constexpr std::array<std::string_view, 15> parts = {
      "/pydevd",      "/debugpy/",   "/pydev_",     "/bdb.py",        "/pdb.py",
      "/cProfile.py", "/profile.py", "/runpy.py",   "/line_profiler", "/memory_profiler",
      "/scalene/",    "/IPython/",   "/ipykernel/", "/viztracer/",    "/torch/profiler/"};
  constexpr std::array<std::string_view, 3> beginnings = {"<frozen runpy", "<frozen bdb", "<frozen cProfile"};
  return begins_with_any(frame.file, beginnings) ||
         std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return contains(frame.file, part); });
}

/// Whether torch.compile generated the file, for example /tmp/torchinductor_user/ab/cabc....py. The name has
/// 52 characters.
bool is_generated(std::string_view file) {
  constexpr std::size_t kHashCharacters = 52;
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  return contains(file, "/torchinductor_") ||
         (name.size() == kHashCharacters + 3 && name.starts_with('c') && name.ends_with(".py") &&
          name.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567") == kHashCharacters);
}

bool is_installed(std::string_view file) {
  return is_in_windows_library(file) || contains(file, "/site-packages/") ||
         contains(file, "/dist-packages/") || contains(file, "/lib/python3") || contains(file, "/torch/") ||
         file.starts_with("<frozen");
}

bool is_of_python_itself(std::string_view file) {
  return file.starts_with("<frozen") || is_in_windows_library(file) ||
         (contains(file, "/lib/python3") && !contains(file, "/site-packages/") &&
          !contains(file, "/dist-packages/"));
}

/// Whether the frame only wraps a call.
bool is_wrapper(std::string_view name) {
  constexpr std::array<std::string_view, 9> wrappers = {"_call_impl",
                                                        "_wrapped_call_impl",
                                                        "decorate_context",
                                                        "wrapper",
                                                        "wrapped",
                                                        "inner",
                                                        "__torch_function__",
                                                        "_fn",
                                                        "_worker"};
  return std::find(wrappers.begin(), wrappers.end(), name) != wrappers.end();
}

/// Whether the frame lies between a request and the code that made it: recorder, allocator, interpreter or
/// threads.
bool is_machinery(std::string_view name) {
  constexpr std::array<std::string_view, 29> beginnings = {"torch::unwind", "torch::CapturedTraceback",
                                                           "torch::cuda::", "c10::",
                                                           "at::detail::",  "at::(anonymous namespace)::",
                                                           "at::TensorI",   "at::TensorBase at::detail::",
                                                           "std::",         "void std::",
                                                           "_Py",           "Py",
                                                           "cfunction",     "method_vectorcall",
                                                           "slot_tp",       "type_call",
                                                           "object_vacall", "partial_",
                                                           "builtin_",      "__libc",
                                                           "_start",        "clone",
                                                           "__clone",       "start_thread",
                                                           "thread_run",    "pythread_wrapper",
                                                           "pthread_",      "??",
                                                           "run_"};
  return name.empty() || begins_with_any(name, beginnings);
}

/// The word in `name` after `before`, up to the next "::" or "(".
std::string_view word_behind(std::string_view name, std::string_view before) {
  const std::size_t start = name.find(before);
  if (start == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = name.substr(start + before.size());
  return rest.substr(0, std::min(rest.find("::"), rest.find('(')));
}

/// Extracts "MmBackward0" from "torch::autograd::generated::MmBackward0::apply(...)".
std::string_view autograd_node(std::string_view name) {
  if (!contains(name, "::apply(")) {
    return {};
  }
  std::string_view node = word_behind(name, "torch::autograd::generated::");
  if (node.empty()) {
    node = word_behind(name, "torch::autograd::");
  }
  return node == "Node" || node == "VariableType" || node == "Engine" ? std::string_view{} : node;
}

std::string_view workspace(std::string_view name) {
  if (contains(name, "getNewWorkspace") || contains(name, "parseChosenWorkspaceSize") ||
      contains(name, "getCurrentCUDABlasHandle") || contains(name, "CUDABlasLtWorkspace")) {
    return "cuBLAS workspace";
  }
  if (contains(name, "getCurrentHIPBlasHandle") || contains(name, "HIPBlasLtWorkspace")) {
    return "hipBLAS workspace";
  }
  if ((contains(name, "cudnn") || contains(name, "miopen")) && contains(name, "orkspace")) {
    return contains(name, "miopen") ? "MIOpen workspace" : "cuDNN workspace";
  }
  return contains(name, "c10d::") || contains(name, "ncclComm") ? "communication (c10d)" : std::string_view{};
}

/// Whether the name of a function indicates an evaluation, for example "evaluate" or "run_validation".
bool evaluates(std::string_view function) {
  constexpr std::array<std::string_view, 6> words = {"eval", "valid", "infer", "predict", "test", "generate"};
  for (std::string_view word : words) {
    const std::size_t at = function.find(word);
    if (at != std::string_view::npos && (at == 0 || function[at - 1] == '_')) {
      return true;
    }
  }
  return false;
}

std::string described(const FrameText& frame) {
  const std::string_view name = frame.name.substr(0, kLongestName);
  if (frame.file.empty() || frame.file == "??") {
    return std::string(name);
  }
  return fmt::format("{} ({}:{})", name, frame.file.substr(frame.file.find_last_of('/') + 1), frame.line);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char character) { return static_cast<char>(std::tolower(character)); });
  return result;
}

/// Whether the frame belongs to an optimizer step. Such a frame is in torch.optim, or it is a function step()
/// in a file with "optim" in its name.
bool is_optimizer(const FrameText& frame) {
  if (contains(frame.name, "zero_grad")) {
    return false;
  }
  return contains(frame.file, "/torch/optim/") ||
         (frame.name == "step" &&
          contains(lower(frame.file.substr(frame.file.find_last_of('/') + 1)), "optim"));
}

/// Converts the innermost frame of 'File "model.py", line 12, in forward' to "forward (model.py:12)".
std::string innermost_of(std::string_view trace) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  const std::size_t start = trace.rfind(kFile);
  const std::size_t line = start == std::string_view::npos ? start : trace.find(kLine, start);
  const std::size_t in = line == std::string_view::npos ? line : trace.find(kIn, line);
  if (in == std::string_view::npos) {
    return "";
  }
  const std::string_view file = trace.substr(start + kFile.size(), line - start - kFile.size());
  const std::string_view number = trace.substr(line + kLine.size(), in - line - kLine.size());
  const std::string_view rest = trace.substr(in + kIn.size());
  return fmt::format("{} ({}:{})", rest.substr(0, std::min(rest.find('\n'), kLongestName)),
                     file.substr(file.find_last_of("/\\") + 1), number.substr(0, kLongestName));
}

/// Adds the name of the package if the frame is in one: "linear (torch/nn/functional.py:12)".
std::string described_in_package(const FrameText& frame) {
  for (std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = frame.file.find(folder);
    if (at != std::string_view::npos) {
      return fmt::format("{} ({}:{})", frame.name.substr(0, kLongestName),
                         frame.file.substr(at + folder.size()), frame.line);
    }
  }
  return described(frame);
}

/// Reads a stack from the innermost frame outward.
class StackReading {
 public:
  void add(const FrameText& frame) {
    stack_.summary.has_frames = true;
    if (is_tool(frame)) {
      return;
    }
    if (is_generated(frame.file)) {
      add_generated(frame);
    } else if (is_python(frame)) {
      add_python(frame);
    } else {
      add_native(frame);
    }
  }

  NamedStack result() && {
    auto& shown = stack_.summary.frames;
    shown = std::move(of_user_);
    for (auto& frame : of_packages_) {
      if (shown.size() < kFrames) {
        shown.push_back(std::move(frame));
      }
    }
    auto& summary = stack_.summary;
    summary.operation = !node_.empty() ? std::string(node_) : operator_.empty() ? "" : "aten::" + operator_;
    summary.is_workspace = !workspace_.empty();
    if (summary.operation.empty()) {
      summary.operation = compiled_;
    }
    if (summary.is_workspace) {
      summary.operation = workspace_;
    }
    summary.builds_model = summary.builds_model && !summary.in_forward && !summary.in_optimizer;
    summary.builds_in_torch = summary.builds_in_torch && summary.builds_model;
    const std::string& place = !user_.empty() ? user_ : package_;
    if (place.empty() && summary.operation.empty()) {
      stack_.name = native_.empty() ? kNoStack : native_;
    } else {
      stack_.name = place.empty()               ? summary.operation
                    : summary.operation.empty() ? place
                                                : place + ", " + summary.operation;
    }
    return std::move(stack_);
  }

 private:
  void add_generated(const FrameText& frame) {
    has_python_ = true;
    stack_.summary.in_forward = true;
    if (!compiled_.empty()) {
      return;
    }
    compiled_ = frame.node.empty() ? fmt::format("compiled code, line {}", frame.line)
                                   : fmt::format("compiled {}", frame.node.substr(0, kLongestName));
    if (user_.empty()) {
      user_ = innermost_of(frame.original);
      if (!user_.empty()) {
        of_user_.push_back(user_);
      }
    }
  }

  void add_python(const FrameText& frame) {
    const bool is_of_package = is_installed(frame.file);
    auto& summary = stack_.summary;
    has_python_ = true;
    const bool is_of_modules = contains(frame.file, "/torch/nn/");
    summary.in_forward |= frame.name == "forward" || contains(frame.file, "/torch/nn/functional.py") ||
                          (is_of_modules && contains(frame.name, "call_impl"));
    // An optimizer step may call a closure that computes the loss. The closure is not part of the step.
    summary.in_optimizer |= is_optimizer(frame) && !summary.in_forward;
    summary.in_backward |= contains(frame.name, "backward") && (contains(frame.file, "/torch/autograd/") ||
                                                                contains(frame.file, "/torch/_functorch/"));
    summary.builds_in_torch |=
        (is_of_modules && (frame.name == "__init__" || frame.name == "reset_parameters")) ||
        frame.name == "_apply" || frame.name == "load_state_dict" || frame.name == "from_pretrained";
    summary.builds_model |= summary.builds_in_torch || (frame.name == "__init__" && !is_of_package);
    if (!is_of_package) {
      summary.in_evaluation |= evaluates(frame.name);
      if (user_.empty()) {
        user_ = described(frame);
      }
      if (frame.name == "__init__") {
        summary.place.clear();
      } else if (summary.place.empty()) {
        summary.place = described(frame);
      }
      if (of_user_.size() < kFramesOfTheUser) {
        of_user_.push_back(described(frame));
      }
    } else if (!is_wrapper(frame.name) && !is_of_python_itself(frame.file)) {
      const bool is_torch = contains(frame.file, "/torch/");
      if (package_.empty() || (package_is_torch_ && !is_torch)) {
        package_ = described(frame);
        package_is_torch_ = is_torch;
      }
      if (of_packages_.size() < kFrames) {
        of_packages_.push_back(described_in_package(frame));
      }
    }
  }

  void add_native(const FrameText& frame) {
    if (const auto found = workspace(frame.name); !found.empty() && workspace_.empty()) {
      workspace_ = found;
    }
    if (const auto node = autograd_node(frame.name); !node.empty()) {
      node_ = node;
      stack_.summary.in_backward = true;
    }
    stack_.summary.in_backward |= frame.name.starts_with("torch::autograd::Engine::");
    stack_.summary.is_cast |= contains(frame.name, "at::autocast::cached_cast");
    // The operator that the program called is the outermost operator inside the innermost Python frame.
    if (!has_python_) {
      if (const auto found = word_behind(frame.name, "at::_ops::"); !found.empty()) {
        operator_ = found;
      }
    }
    if (native_.empty() && !is_machinery(frame.name)) {
      native_ = described(frame);
    }
  }

  NamedStack stack_;
  std::vector<std::string> of_user_, of_packages_;
  std::string user_, package_, native_, operator_, node_, workspace_, compiled_;
  bool has_python_ = false, package_is_torch_ = false;
};

}  // namespace

const NamedStack& FrameNames::of(std::uint32_t frames) {
  std::uint64_t key = 0xCBF29CE484222325U;  // hash (FNV-1a) of the indices of the frames
  for (const auto& item : tables_.items(frames)) {
    key = (key ^ item.bits) * 0x100000001B3U;
    key ^= key >> 29U;
  }
  const auto [entry, is_new] = names_.try_emplace(key);
  if (is_new) {
    StackReading reading;
    for (const auto& item : tables_.items(frames)) {
      if (const FrameRow* frame = tables_.frame(item)) {
        const std::string_view name = tables_.text_of(frame->name), path = tables_.text_of(frame->filename);
        std::string file(path);
        if (file.find('/') == std::string::npos && file.find('\\') != std::string::npos) {
          std::replace(file.begin(), file.end(), '\\', '/');
          on_windows_ = true;
        }
        if (contains(name, "c10::hip::") || contains(name, "at::hip::")) {
          platform_ = Platform::rocm;
        } else if (contains(name, "c10::xpu::") || contains(name, "at::xpu::")) {
          platform_ = Platform::xpu;
        }
        const auto text = [&](std::uint32_t number) {
          return number == FrameRow::kNone ? std::string_view{} : tables_.text_of(number);
        };
        reading.add({name, file, frame->line, text(frame->fx_node), text(frame->fx_trace)});
      }
    }
    entry->second = std::move(reading).result();
  }
  return entry->second;
}

}  // namespace molgauge::allocator
