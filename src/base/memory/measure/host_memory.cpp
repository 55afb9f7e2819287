#include "base/memory/measure/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/error.h"

namespace molgauge::memory {
namespace {

Error proc_unreadable(const std::string& path) {
  return Error(path + ": cannot read the memory of this process. Mount /proc and run again");
}

}  // namespace

std::uint64_t resident_bytes() {
  const std::string path = "/proc/self/statm";
  std::ifstream stream(path);
  std::uint64_t size_pages = 0, resident_pages = 0;
  if (!(stream >> size_pages >> resident_pages)) {
    throw proc_unreadable(path);
  }
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  const std::string path = "/proc/self/status";
  std::ifstream stream(path);
  for (std::string key; stream >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "VmHWM:" && stream >> kibibytes) {
      return std::max(kibibytes * 1024, resident_bytes());
    }
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  throw proc_unreadable(path);
}

bool reset_peak_resident() {
  const int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  const bool done = write(descriptor, "5", 1) == 1;
  close(descriptor);
  return done;
}

}  // namespace molgauge::memory
