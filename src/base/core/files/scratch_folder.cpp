#include "base/core/files/scratch_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

constexpr std::string_view kRandom = "XXXXXX";

/// Whether `file` has the form `name`-XXXXXX of the folders that ScratchFolder creates with mkdtemp().
bool is_scratch_name(std::string_view file, const std::string& name) {
  if (file.size() != name.size() + 1 + kRandom.size() || !file.starts_with(name + "-")) {
    return false;
  }
  const std::string_view random = file.substr(name.size() + 1);
  return std::all_of(random.begin(), random.end(),
                     [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

int open_folder(const std::filesystem::path& folder) {
  return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Locks the folder without waiting. Returns false if another process holds the lock, or if the file system
/// does not support locks.
bool lock_at_once(int descriptor) {
  int locked = 0;
  do {
    locked = flock(descriptor, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  return locked == 0;
}

/// Whether the path `folder` still leads to the open folder.
bool is_still_there(int descriptor, const std::filesystem::path& folder) {
  struct stat opened = {}, named = {};
  return fstat(descriptor, &opened) == 0 && lstat(folder.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

ScratchFolder::ScratchFolder(const std::filesystem::path& parent, const std::string& name) {
  constexpr int kTries = 100;
  for (int tries = 0; tries < kTries; ++tries) {
    std::string pattern = (parent / (name + "-" + std::string(kRandom))).string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw system_error(pattern, "create the folder", errno);
    }
    path_ = pattern;
    lock_ = open_folder(path_);
    // Before this process holds the lock, another process may remove the folder, because it looks like a
    // stale folder.
    if (lock_ >= 0) {
      const bool is_locked = lock_at_once(lock_);
      const bool has_no_locks = !is_locked && errno != EWOULDBLOCK;
      if ((is_locked || has_no_locks) && is_still_there(lock_, path_)) {
        return;
      }
      close(lock_);
      lock_ = -1;
    }
  }
  throw Error(parent.string() +
              ": a folder cannot be kept there, because another process removes it. Name "
              "another folder");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  close(lock_);
}

void ScratchFolder::remove_stale(const std::filesystem::path& parent, const std::string& name) {
  std::error_code problem;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator entry(parent, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (is_scratch_name(entry->path().filename().string(), name)) {
      found.push_back(entry->path());
    }
  }
  for (const std::filesystem::path& folder : found) {
    const int descriptor = open_folder(folder);
    if (descriptor < 0) {
      continue;
    }
    if (lock_at_once(descriptor)) {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
    close(descriptor);
  }
}

}  // namespace molgauge
