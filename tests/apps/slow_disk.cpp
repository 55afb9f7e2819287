// Preload this with LD_PRELOAD. It simulates a disk that takes three seconds to sync the database of a store.
// Only the first syncs are slow, so the test does not take long.

#include <array>
#include <atomic>
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
  static std::atomic<int> slow_syncs = 3;
  if (is_database(descriptor) && slow_syncs-- > 0) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
  }
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, call))(descriptor);
}

}  // namespace

extern "C" int fdatasync(int descriptor) { return delayed("fdatasync", descriptor); }
extern "C" int fsync(int descriptor) { return delayed("fsync", descriptor); }
