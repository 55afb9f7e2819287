#include "core/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>

#include <unistd.h>

#include "core/error.h"
#include "core/file_calls.h"
#include "core/output_file.h"

namespace headroom {
namespace {

void require(int result, const std::filesystem::path& path, const char* attempt) {
  if (result != 0) {
    throw system_error(path.string(), attempt, errno);
  }
}

}  // namespace

void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto temporary = folder / ("." + path.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  FileCalls& calls = file_calls();
  try {
    write(temporary);
    require(calls.sync_file(temporary), path, "sync");
    require(calls.rename(temporary, path), path, "replace");
    require(calls.sync_folder(folder), path, "sync the folder");
  } catch (...) {
    calls.remove(temporary);
    throw;
  }
}

void replace_file(const std::filesystem::path& path, std::string_view content) {
  replace_file(path, [&](const std::filesystem::path& temporary) {
    OutputFile file(temporary, path.string());
    file.append(std::as_bytes(std::span(content)));
    file.finish();
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
