#include "base/core/files/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/checksum_announcement.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/input_descriptor.h"
#include "base/core/files/output_file.h"
#include "base/core/files/regular_file.h"
#include "base/core/files/temporary_file.h"

namespace molgauge {
namespace {

void require(int result, const std::filesystem::path& path, const char* attempt) {
  if (result != 0) {
    throw system_error(path.string(), attempt, errno);
  }
}

}  // namespace

std::filesystem::path file_to_replace(const std::filesystem::path& name) {
  std::error_code unknown;  // ignored here, because opening the file reports the error
  const auto status = std::filesystem::status(name, unknown);
  if (unknown.value() == ELOOP) {
    throw system_error(name.string(), "write", ELOOP);
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(name.string() + ": is not a regular file. Name another file to write to");
  }
  // Follows one link at a time, because std::filesystem::canonical() fails if the last link points to a
  // missing file.
  std::filesystem::path path = name;
  while (std::filesystem::is_symlink(path, unknown)) {
    const auto target = std::filesystem::read_symlink(path, unknown);
    if (unknown) {
      throw system_error(path.string(), "follow the symbolic link", unknown.value());
    }
    path = path.parent_path() / target;  // an absolute target replaces the whole path
  }
  return path;
}

void replace_file(const std::filesystem::path& name,
                  const std::function<void(const std::filesystem::path& temporary)>& write) {
  const auto path = file_to_replace(name);
  const auto folder = folder_of(path);
  const auto temporary = temporary_name(path, "tmp");
  remove_stale_temporaries(path);
  FileCalls& calls = file_calls();
  try {
    write(temporary);
    require(calls.sync_file(temporary), path, "sync");
    const ChecksumAnnouncement announced(name, path, temporary);
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
  std::vector<std::filesystem::path> missing;
  for (auto folder = path; !folder.empty() && !std::filesystem::exists(folder, failure);
       folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  std::filesystem::create_directories(path, failure);
  if (failure) {
    throw system_error(path.string(), "create the folder", failure.value());
  }
  for (const auto& folder : missing) {
    file_calls().sync_folder(folder_of(folder));  // ignores failures, such as an unreadable parent
  }
}

std::string read_file(const std::filesystem::path& path) {
  require_regular_file(path, kLargestOwnFile);
  return read_input_file(path);
}

}  // namespace molgauge
