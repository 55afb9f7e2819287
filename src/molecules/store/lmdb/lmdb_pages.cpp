#include "molecules/store/lmdb/lmdb_pages.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"

namespace molgauge::store::pages {

DataFile::DataFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw system_error(path.string(), "open", errno);
  }
}

DataFile::~DataFile() { close(descriptor_); }

std::uint64_t DataFile::size() const {
  struct stat status {};
  fstat(descriptor_, &status);
  return static_cast<std::uint64_t>(status.st_size);
}

bool DataFile::read(std::uint64_t offset, std::span<std::byte> target) const {
  while (!target.empty()) {
    const ssize_t count = pread(descriptor_, target.data(), target.size(), static_cast<off_t>(offset));
    if (count < 0 && errno != EINTR) {
      throw system_error(path_.string(), "read", errno);
    }
    if (count == 0) {
      return false;
    }
    if (count > 0) {
      target = target.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
  }
  return true;
}

}  // namespace molgauge::store::pages
