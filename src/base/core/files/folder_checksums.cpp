#include "base/core/files/folder_checksums.h"

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/folder_hold.h"
#include "base/core/files/regular_file.h"
#include "base/core/files/temporary_file.h"
#include "base/core/session/log.h"

namespace molgauge {
namespace {

namespace fs = std::filesystem;

fs::path list_in(const fs::path& folder) { return folder / ChecksumList::kFile; }

/// Returns true if a file matches its checksum, is missing, or is not in the list.
bool is_intact(const ChecksumList& list, const fs::path& file) {
  const std::string name = file.filename().string();
  if (!list.lists(name)) {
    return true;
  }
  const auto checksum = checksum_of_content(file);
  return checksum ? list.allows(name, *checksum) : !fs::exists(file);
}

bool has_checksums(const fs::path& folder) {
  std::error_code unknown;
  return fs::exists(list_in(folder), unknown);
}

}  // namespace

void keep_checksums(const fs::path& folder) {
  if (!has_checksums(folder)) {
    replace_file(list_in(folder), ChecksumList().text());
  }
}

void forget_checksums(const fs::path& folder) { fs::remove(list_in(folder)); }

void note_missing_checksums(const fs::path& folder) {
  if (!has_checksums(folder)) {
    log_info("{}: has no file {}. Its files are used unchecked", folder.string(),
             list_in(folder).filename().string());
  }
}

void require_intact(const fs::path& file, const std::string& remedy) {
  require_regular_file(file);
  const fs::path folder = folder_of(file);
  const FolderHold hold(folder, FolderHold::Kind::shared);
  const auto list = read_checksum_list(folder, remedy);
  if (list && !is_intact(*list, file)) {
    throw InputError(file.string() +
                     ": is damaged: its content has changed since its checksum was written to " +
                     ChecksumList::kFile + ". " + remedy);
  }
}

std::vector<fs::path> damaged_files(const fs::path& folder) {
  const FolderHold hold(folder, FolderHold::Kind::shared);
  std::optional<ChecksumList> list;
  try {
    list = read_checksum_list(folder, "");
  } catch (const InputError&) {
    return {list_in(folder)};
  }
  std::vector<fs::path> damaged;
  for (const auto& entry : list ? list->entries() : std::vector<ChecksumList::Entry>{}) {
    const fs::path file = folder / entry.name;
    if ((damaged.empty() || damaged.back() != file) && !is_intact(*list, file)) {
      damaged.push_back(file);
    }
  }
  return damaged;
}

}  // namespace molgauge
