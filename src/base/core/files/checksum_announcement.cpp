#include "base/core/files/checksum_announcement.h"

#include <cerrno>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/output_file.h"
#include "base/core/files/path_identity.h"
#include "base/core/files/temporary_file.h"

namespace molgauge {
namespace {

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

}  // namespace

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

}  // namespace molgauge
