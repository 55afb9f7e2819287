#include "core/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"

namespace headroom {
namespace {

void sync_path(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) {
    throw system_error(path.string(), "open", errno);
  }
  const int result = fsync(descriptor);
  const int error_number = errno;
  close(descriptor);
  // Some file systems cannot sync a folder; the rename is then as durable as they make it.
  if (result != 0 && error_number != EINVAL) {
    throw system_error(path.string(), "sync", error_number);
  }
}

}  // namespace

void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto temporary = folder / ("." + path.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  try {
    write(temporary);
    sync_path(temporary, O_RDONLY);
    std::error_code failure;
    std::filesystem::rename(temporary, path, failure);
    if (failure) {
      throw system_error(path.string(), "replace", failure.value());
    }
    sync_path(folder, O_RDONLY | O_DIRECTORY);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void replace_file(const std::filesystem::path& path, std::string_view content) {
  replace_file(path, [&](const std::filesystem::path& temporary) {
    const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
      throw system_error(path.string(), "write", errno);
    }
    for (std::string_view rest = content; !rest.empty();) {
      const ssize_t written = ::write(descriptor, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written < 0) {
        const int error_number = errno;
        close(descriptor);
        throw system_error(path.string(), "write", error_number);
      }
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    close(descriptor);
  });
}

void make_folder(const std::filesystem::path& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) {
    throw system_error(path.string(), "create the folder", failure.value());
  }
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw InputError(path.string() + ": is a folder, a file was expected");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError(path.string() + ": cannot read: " + std::strerror(errno));
  }
  std::ostringstream content;
  content << stream.rdbuf();
  return std::move(content).str();
}

}  // namespace headroom
