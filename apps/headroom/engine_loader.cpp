#include "engine_loader.h"

#include <optional>
#include <string>
#include <utility>

#include <dlfcn.h>

#include "core/error.h"
#include "core/library_loading.h"

namespace headroom::cli {
namespace {

constexpr const char* kLibrary = "libheadroom.so";

std::optional<Session>& session() {
  static std::optional<Session> of_the_process;
  return of_the_process;
}

}  // namespace

void open_session(SessionOptions options) { session().emplace(std::move(options)); }

Session& opened_session() { return session().value(); }

Engine& load_engine() {
  static Engine* const loaded = [] {
    const std::string path = own_library(kLibrary);
    prepare_loading(path);
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw Error(std::string("cannot load the engine: ") + dlerror() +
                  ". Build or install Headroom again. libheadroom.so must be in lib/ next to bin/");
    }
    using Provider = Engine* (*)(const char* version, Session* session);
    const auto provider = reinterpret_cast<Provider>(dlsym(library, "headroom_engine"));
    Engine* const engine = provider == nullptr ? nullptr : provider(HEADROOM_VERSION, &*session());
    if (engine == nullptr) {
      throw Error("libheadroom.so is not version " HEADROOM_VERSION ". Build or install Headroom again");
    }
    return engine;
  }();
  return *loaded;
}

}  // namespace headroom::cli
