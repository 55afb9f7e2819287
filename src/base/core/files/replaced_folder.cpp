#include "base/core/files/replaced_folder.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/folder_lock.h"
#include "base/core/files/path_identity.h"
#include "base/core/files/temporary_file.h"

namespace molgauge {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

/// Removes a folder without subfolders. Ignores failures.
void remove_folder(const fs::path& folder) {
  for (const std::string& name : names_in(folder)) {
    file_calls().remove(folder / name);
  }
  std::error_code ignored;
  fs::remove(folder, ignored);
}

/// Whether the folder can take the place of `target`, which exists.
bool can_be_exchanged(const fs::path& target, const ReplacedFolder& content) {
  struct stat own = {}, parent = {};
  const fs::path above = folder_of(target);
  const std::vector<std::string> names = names_in(target);
  return stat(target.c_str(), &own) == 0 && stat(above.c_str(), &parent) == 0 &&
         own.st_dev == parent.st_dev && access(above.c_str(), W_OK) == 0 &&
         std::all_of(names.begin(), names.end(), [&](const std::string& name) {
           return content.is_own(name) && !fs::is_directory(fs::symlink_status(target / name));
         });
}

/// Moves the files one by one, and removes the old files.
void move_files(const fs::path& staged, const fs::path& target, const ReplacedFolder& content) {
  std::vector<std::string> names = names_in(staged);
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return name != content.last; });
  for (const std::string& name : names) {
    if (file_calls().rename(staged / name, target / name) != 0) {
      throw system_error((target / name).string(), "replace", errno);
    }
  }
  if (file_calls().sync_folder(target) != 0) {
    throw system_error(target.string(), "sync the folder", errno);
  }
  for (const std::string& name : names_in(target)) {
    const bool is_old = std::find(names.begin(), names.end(), name) == names.end();
    if (is_old && name != ".lock" && content.is_own(name) &&
        fs::is_regular_file(fs::symlink_status(target / name))) {
      file_calls().remove(target / name);
    }
  }
}

/// Gives the staged folder the name `target`. The old folder then has the name `staged`. Returns false if the
/// file system cannot exchange folders.
bool exchange(const fs::path& staged, const fs::path& target) {
  FileCalls& calls = file_calls();
  const bool is_new = !fs::exists(target);
  if ((is_new ? calls.rename(staged, target) : calls.exchange(staged, target)) != 0) {
    if (!is_new && (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP)) {
      return false;
    }
    throw system_error(target.string(), "replace the folder", errno);
  }
  if (calls.sync_folder(folder_of(target)) != 0) {
    throw system_error(target.string(), "sync the parent folder of the new", errno);
  }
  return true;
}

/// Calls write() and gives its errors the path of the folder that the user named.
void write_staged(const ReplacedFolder& content, const fs::path& staged, const fs::path& shown) try {
  content.write(staged);
  if (file_calls().sync_folder(staged) != 0) {
    throw system_error(shown.string(), "sync the folder", errno);
  }
} catch (const Error& problem) {
  std::string text = problem.what();
  if (const auto at = text.find(staged.string()); at != std::string::npos) {
    text.replace(at, staged.string().size(), shown.string());
  }
  throw Error(text, problem.code());
}

}  // namespace

void replace_folder(const fs::path& folder, const ReplacedFolder& content) {
  fs::path target = resolved_path(folder);
  target = target.has_filename() ? target : target.parent_path();
  const bool is_there = fs::exists(target);
  std::optional<FolderLock> lock;
  if (is_there) {
    lock.emplace(target);
  } else {
    make_folder(folder_of(target));
  }
  remove_stale_folders(target);
  remove_stale_folders(target / "new");
  const bool is_beside = !is_there || can_be_exchanged(target, content);
  const fs::path staged = temporary_name(is_beside ? target : target / "new", "new");
  remove_folder(staged);
  if (mkdir(staged.c_str(), 0777) != 0) {
    throw system_error(target.string(), "write", errno);
  }
  try {
    if (is_there && is_beside) {
      std::error_code ignored;
      fs::permissions(staged, fs::status(target).permissions(), ignored);
    }
    write_staged(content, staged, folder);
    if (!is_beside || !exchange(staged, target)) {
      move_files(staged, target, content);
    }
  } catch (...) {
    remove_folder(staged);
    throw;
  }
  remove_folder(staged);
}

}  // namespace molgauge
