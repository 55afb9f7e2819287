#include "base/core/files/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/folder_hold.h"
#include "base/core/files/input_descriptor.h"
#include "base/core/files/output_file.h"
#include "base/core/files/path_identity.h"
#include "base/core/files/regular_file.h"
#include "base/core/files/temporary_file.h"

namespace molgauge {
namespace {

/// replace_file() creates this object after it has written the new file and before it renames the file. If
/// the folder keeps checksums, the constructor writes the new checksum to disk. The folder is locked while
/// the object exists.
class ChecksumAnnouncement {
 public:
  /// `temporary` will be renamed to `path`. `name` is the path that the caller used. `path` and `name` differ
  /// if `name` is a symbolic link. In this case, the checksums of both folders are updated. Throws Error,
  /// which names the checksum list, if the list is damaged or cannot be written.
  ChecksumAnnouncement(const std::filesystem::path& name, const std::filesystem::path& path,
                       const std::filesystem::path& temporary);

 private:
  std::vector<std::unique_ptr<FolderHold>> holds_;
};

namespace fs = std::filesystem;

/// Whether the folder has a checksum list of Molgauge. Returns false if another program wrote
/// checksums.xxh128, so Molgauge does not change that file.
bool keeps_list(const fs::path& folder) {
  std::error_code unknown;
  const fs::path file = folder / ChecksumList::kFile;
  return fs::is_regular_file(file, unknown) && ChecksumList::is_list(read_file(file));
}

/// Removes the entries of files that no longer exist. Otherwise the list would grow with every temporary
/// file.
void drop_missing(ChecksumList& list, const fs::path& folder) {
  const auto entries = list.entries();
  for (const auto& entry : entries) {
    std::error_code unknown;
    if (!fs::exists(folder / entry.name, unknown) && !unknown) {
      list.remove(entry.name);
    }
  }
}

/// Replaces the list on disk. Does not sync the folder: replace_file() does this after it renames the
/// announced file.
void replace_list(const fs::path& folder, const ChecksumList& list) {
  const fs::path file = folder / ChecksumList::kFile;
  const fs::path temporary = temporary_name(file, "tmp");
  remove_stale_temporaries(file);
  FileCalls& calls = file_calls();
  const auto require = [&](int result, const char* attempt) {
    if (result != 0) {
      throw system_error(file.string(), attempt, errno);
    }
  };
  try {
    OutputFile content(temporary, file.string());
    const std::string text = list.text();
    content.append(std::as_bytes(std::span(text)));
    content.finish();
    require(calls.sync_file(temporary), "sync");
    require(calls.rename(temporary, file), "replace");
  } catch (...) {
    calls.remove(temporary);
    throw;
  }
}

void announce(const fs::path& file, const std::string& next) {
  const fs::path folder = folder_of(file);
  const std::string name = file.filename().string();
  auto list = read_checksum_list(folder, "Restore it");
  if (!list || name.find('\n') != std::string::npos) {
    return;
  }
  drop_missing(*list, folder);
  list->announce(name, next, checksum_of_content(file));
  replace_list(folder, *list);
}

/// Returns the files whose folder has a checksum list, grouped by folder. The key is the device and inode of
/// the folder, so that a folder with two paths is locked only once. A second lock would wait for the first
/// lock forever. All processes lock folders in the order of the keys, so two processes never wait for each
/// other.
std::map<PathIdentity::Node, std::vector<fs::path>> folders_with_lists(
    std::initializer_list<fs::path> files) {
  std::map<PathIdentity::Node, std::vector<fs::path>> folders;
  for (const fs::path& file : files) {
    const PathIdentity folder(folder_of(file));
    if (file.filename() == ChecksumList::kFile || !folder.exists() || !keeps_list(folder.resolved())) {
      continue;
    }
    std::vector<fs::path>& own = folders[*folder.node()];
    if (own.empty() || own.front().filename() != file.filename()) {
      own.push_back(file);
    }
  }
  return folders;
}

ChecksumAnnouncement::ChecksumAnnouncement(const fs::path& name, const fs::path& path,
                                           const fs::path& temporary) {
  const auto folders = folders_with_lists({name, path});
  if (folders.empty()) {
    return;
  }
  const auto next = checksum_of_content(temporary);
  if (!next) {
    throw system_error(path.string(), "read the new content of", errno);
  }
  for (const auto& [node, files] : folders) {
    holds_.push_back(std::make_unique<FolderHold>(folder_of(files.front()), FolderHold::Kind::exclusive));
    for (const fs::path& file : files) {
      announce(file, *next);
    }
  }
}

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
