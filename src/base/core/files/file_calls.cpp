#include "base/core/files/file_calls.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace molgauge {
namespace {

FileCalls* replaced_calls = nullptr;

int sync_path(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) {
    return -1;
  }
  const int result = ::fsync(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  errno = error_number;
  // EINVAL means that the file system cannot sync folders. This is not an error, because no other call can
  // make a rename durable.
  return result != 0 && error_number == EINVAL ? 0 : result;
}

}  // namespace

int FileCalls::create(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

int FileCalls::open_to_append(const std::filesystem::path& path, off_t size) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor >= 0 && ::ftruncate(descriptor, size) != 0) {
    const int error_number = errno;
    ::close(descriptor);
    errno = error_number;
    return -1;
  }
  return descriptor;
}

ssize_t FileCalls::write(int descriptor, std::span<const std::byte> bytes, off_t offset) {
  return ::pwrite(descriptor, bytes.data(), bytes.size(), offset);
}

int FileCalls::close(int descriptor) { return ::close(descriptor); }

int FileCalls::sync_file(const std::filesystem::path& path) { return sync_path(path, O_RDONLY); }

int FileCalls::sync_folder(const std::filesystem::path& path) {
  return sync_path(path, O_RDONLY | O_DIRECTORY);
}

int FileCalls::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  return std::rename(from.c_str(), to.c_str());
}

int FileCalls::exchange(const std::filesystem::path& one, const std::filesystem::path& other) {
  return static_cast<int>(
      syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE));
}

int FileCalls::remove(const std::filesystem::path& path) { return ::unlink(path.c_str()); }

FileCalls& file_calls() {
  static FileCalls system_calls;
  return replaced_calls != nullptr ? *replaced_calls : system_calls;
}

FileCalls* exchange_file_calls(FileCalls* calls) {
  FileCalls* const former = replaced_calls;
  replaced_calls = calls;
  return former;
}

}  // namespace molgauge
