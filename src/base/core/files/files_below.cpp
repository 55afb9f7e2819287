#include "base/core/files/files_below.h"

#include <algorithm>
#include <system_error>

#include "base/core/error.h"

namespace molgauge {
namespace {

namespace fs = std::filesystem;

/// The standard library names no folder in its error if a subfolder cannot be read.
void collect(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      collect(entry->path(), files);
    } else if (entry->is_regular_file(ignored)) {
      files.push_back(entry->path());
    }
  }
  if (problem) {
    throw InputError(folder.string() + ": cannot be read: " + problem.message() + ". Change its permissions");
  }
}

}  // namespace

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  collect(folder, files);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace molgauge
