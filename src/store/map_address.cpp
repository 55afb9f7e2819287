#include "store/map_address.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/error.h"

namespace headroom::store {

std::byte* find_map(const std::filesystem::path& file) {
  struct stat status {};
  stat(file.c_str(), &status);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uint64_t offset = 0, inode = 0;
    unsigned major_number = 0, minor_number = 0;
    const int fields = std::sscanf(line.c_str(), "%" SCNxPTR "-%*x %*s %" SCNx64 " %x:%x %" SCNu64, &begin,
                                   &offset, &major_number, &minor_number, &inode);
    if (fields == 5 && offset == 0 && inode == status.st_ino && major_number == major(status.st_dev) &&
        minor_number == minor(status.st_dev)) {
      return reinterpret_cast<std::byte*>(begin);
    }
  }
  throw Error(file.string() + ": is not to be found in /proc/self/maps; is /proc mounted?");
}

}  // namespace headroom::store
