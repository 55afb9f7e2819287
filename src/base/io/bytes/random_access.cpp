#include "base/io/bytes/random_access.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/read_problem.h"

namespace molgauge::io {
namespace {

class File final : public RandomAccess {
 public:
  File(std::string name, std::uint64_t size, int descriptor)
      : RandomAccess(std::move(name), size), descriptor_(descriptor) {}
  ~File() override { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

 private:
  void copy(std::uint64_t offset, std::span<std::byte> target) const override {
    while (!target.empty()) {
      const ssize_t count = pread(descriptor_, target.data(), target.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        throw InputError(name() + ": cannot read at byte " + std::to_string(offset) + ": " +
                         (count == 0 ? "the file has become shorter" : std::strerror(errno)));
      }
      offset += static_cast<std::uint64_t>(count);
      target = target.subspan(static_cast<std::size_t>(count));
    }
  }

  int descriptor_;
};

class Memory final : public RandomAccess {
 public:
  Memory(std::string name, std::vector<std::byte> bytes)
      : RandomAccess(std::move(name), bytes.size()), bytes_(std::move(bytes)) {}

 private:
  void copy(std::uint64_t offset, std::span<std::byte> target) const override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), target.size(), target.begin());
  }

  std::vector<std::byte> bytes_;
};

}  // namespace

void RandomAccess::require(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset) {
    throw InputError(name_ + ": is truncated or damaged: " + std::to_string(count) +
                     " bytes are expected at byte " + std::to_string(offset) + ", the file has " +
                     std::to_string(size_));
  }
}

void RandomAccess::read(std::uint64_t offset, std::span<std::byte> target) const {
  require(offset, target.size());
  copy(offset, target);
}

std::vector<std::byte> RandomAccess::read(std::uint64_t offset, std::uint64_t count) const {
  require(offset, count);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  copy(offset, bytes);
  return bytes;
}

std::unique_ptr<RandomAccess> open_random_access(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    throw read_problem(path.string(), errno);
  }
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  auto file = std::make_unique<File>(path.string(), static_cast<std::uint64_t>(status.st_size), descriptor);
  if (!known || !S_ISREG(status.st_mode)) {
    throw InputError(path.string() + (S_ISDIR(status.st_mode) ? ": is a folder. Name a file"
                                                              : ": is not a regular file. Copy it to one"));
  }
  return file;
}

std::unique_ptr<RandomAccess> random_access_in_memory(std::string name, std::vector<std::byte> bytes) {
  return std::make_unique<Memory>(std::move(name), std::move(bytes));
}

}  // namespace molgauge::io
