// Preload this with LD_PRELOAD. It simulates a disk that takes a second to sync the database of a store.

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

namespace {

bool is_database(int descriptor) {
  std::array<char, 4096> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), name.data(), name.size());
  return length > 0 && std::string_view(name.data(), static_cast<std::size_t>(length)).find(".mdb") !=
                           std::string_view::npos;
}

int delayed(const char* call, int descriptor) {
  if (is_database(descriptor)) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, call))(descriptor);
}

}  // namespace

extern "C" int fdatasync(int descriptor) { return delayed("fdatasync", descriptor); }
extern "C" int fsync(int descriptor) { return delayed("fsync", descriptor); }
