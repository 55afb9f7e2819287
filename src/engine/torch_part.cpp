#include "engine/torch_part.h"

#include <atomic>
#include <string>

#include <dlfcn.h>

#include "core/error.h"
#include "core/library_loading.h"

namespace headroom::verbs {
namespace {

constexpr const char* kLibrary = "libheadroom_torch.so";

struct Opened {
  TorchPart* part = nullptr;
  std::string problem;
};

Opened open_torch_part() {
  const std::string path = own_library(kLibrary);
  prepare_loading(path);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return {nullptr, dlerror()};
  }
  const auto provider =
      reinterpret_cast<decltype(&headroom_torch_part)>(dlsym(library, "headroom_torch_part"));
  TorchPart* const part = provider == nullptr ? nullptr : provider(HEADROOM_VERSION);
  return {part, part == nullptr ? "it is not of version " HEADROOM_VERSION : ""};
}

std::atomic<bool> is_open = false;

const Opened& opened() {
  static const Opened once = open_torch_part();
  is_open = once.part != nullptr;
  return once;
}

}  // namespace

TorchPart& torch_part() {
  if (opened().part == nullptr) {
    throw Error(std::string("training and GPUs need ") + kLibrary + ", which cannot be loaded: " +
                opened().problem + "; install Headroom's part for training (headroom-torch), or build it");
  }
  return *opened().part;
}

bool is_torch_part_open() { return is_open; }

TorchPart* find_torch_part() { return opened().part; }

}  // namespace headroom::verbs
