#include "base/runtime/torch_backend.h"

#include <atomic>
#include <string>

#include <dlfcn.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/end_at_first_signal.h"
#include "base/core/session/library_loading.h"

namespace molgauge::runtime {
namespace {

constexpr const char* kLibrary = "libmolgauge_torch.so";

struct Opened {
  FoundTorchBackend found;
  ExitCode exit_code = ExitCode::failed;  ///< exit code of a command that needs the library
};

Opened failed(std::string problem, ExitCode exit_code = ExitCode::failed) {
  return {{.part = nullptr, .problem = std::move(problem)}, exit_code};
}

Opened open_torch_part() {
  const std::string path = own_library(kLibrary);
  try {
    prepare_loading(path);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& no_room) {
    return failed(no_room.what(), no_room.code());
  }
  // Debian's LibTorch depends on about 300 libraries. With RTLD_NOW, the loader would look up all their
  // functions, which takes a third of the loading time. Functions that our own library needs are looked up in
  // any case (-z now).
  const EndAtFirstSignal end_at_first_signal;
  throw_if_cancelled();
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return failed(dlerror());
  }
  const auto provider =
      reinterpret_cast<decltype(&molgauge_torch_part)>(dlsym(library, "molgauge_torch_part"));
  TorchBackend* const part = provider == nullptr ? nullptr : provider(MOLGAUGE_VERSION);
  if (part == nullptr) {
    return failed(path + ": is not of version " MOLGAUGE_VERSION);
  }
  return {{.part = part, .problem = ""}, ExitCode::done};
}

std::atomic<bool> is_open = false;

const Opened& opened() {
  static const Opened once = open_torch_part();
  is_open = once.found.part != nullptr;
  return once;
}

}  // namespace

TorchBackend& torch_backend() {
  const auto& [found, exit_code] = opened();
  if (found.part == nullptr) {
    throw Error(std::string("training and GPUs need ") + kLibrary +
                    ", which belongs next to libmolgauge.so, cannot be loaded: " + found.problem,
                exit_code);
  }
  return *found.part;
}

bool is_torch_backend_open() { return is_open; }

FoundTorchBackend find_torch_backend() { return opened().found; }

}  // namespace molgauge::runtime
