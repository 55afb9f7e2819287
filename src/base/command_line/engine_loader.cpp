#include "base/command_line/engine_loader.h"

#include <optional>
#include <string>
#include <utility>

#include <dlfcn.h>

#include "base/core/error.h"
#include "base/core/session/library_loading.h"

namespace molgauge::cli {
namespace {

constexpr const char* kLibrary = "libmolgauge.so";

std::optional<Session>& session() {
  static std::optional<Session> of_the_process;
  return of_the_process;
}

constexpr const char* kOtherVersion =
    "libmolgauge.so is not version " MOLGAUGE_VERSION ". Build or install Molgauge again";

void* opened_library() {
  static void* const opened = [] {
    const std::string path = own_library(kLibrary);
    prepare_loading(path);
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw Error(std::string("cannot load the engine: ") + dlerror() +
                  ". Build or install Molgauge again. libmolgauge.so must be in lib/ next to bin/");
    }
    return library;
  }();
  return opened;
}

}  // namespace

void open_session(SessionOptions options) { session().emplace(std::move(options)); }

Session& opened_session() { return session().value(); }

Engine& load_engine() {
  static Engine* const loaded = [] {
    using Provider = Engine* (*)(const char* version, Session* session);
    const auto provider = reinterpret_cast<Provider>(dlsym(opened_library(), "molgauge_engine"));
    Engine* const engine = provider == nullptr ? nullptr : provider(MOLGAUGE_VERSION, &*session());
    if (engine == nullptr) {
      throw Error(kOtherVersion);
    }
    return engine;
  }();
  return *loaded;
}

std::string instruction_set() {
  using Name = const char* (*)();
  const auto name = reinterpret_cast<Name>(dlsym(opened_library(), "molgauge_instruction_set"));
  if (name == nullptr) {
    throw Error(kOtherVersion);
  }
  return name();
}

}  // namespace molgauge::cli
