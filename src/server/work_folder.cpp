#include "server/work_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/log.h"

namespace molgauge::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "molgauge-work.json";
constexpr const char* kMarkText = "{\"format\": \"molgauge-serve-work\", \"version\": 1}\n";

/// Returns true for the name of a file that jobs write, and for the name of a temporary file that
/// replace_file() leaves if the process is killed.
bool is_file_of_a_job(const std::string& name) {
  constexpr std::array<std::string_view, 6> kBeginnings{".",     "input.",   "result.",
                                                        "rows.", "job.json", "state.json"};
  return name == "checksums.xxh128" ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

bool is_job_id(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void make_private_folder(const fs::path& folder) {
  make_folder(folder);
  if (::chmod(folder.c_str(), S_IRWXU) != 0) {
    throw system_error(folder.string(), "make private to its user", errno);
  }
}

void take_work_folder(const fs::path& folder) {
  const bool is_marked = fs::is_regular_file(fs::symlink_status(folder / kMark));
  if (!is_marked && fs::is_directory(folder) && !fs::is_empty(folder)) {
    throw UsageError(
        folder.string() +
        ": contains files that molgauge serve did not write. Name an empty or a new folder with --work");
  }
  make_private_folder(folder);
  if (!is_marked) {
    replace_file(folder / kMark, kMarkText);
  }
}

void remove_job_folder(const fs::path& folder) {
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code kept;
    if (is_file_of_a_job(entry->path().filename().string())) {
      fs::remove_all(entry->path(), kept);
    }
  }
  if (!fs::remove(folder, failure) && failure) {
    log_warning("{}: is kept, because it contains files that molgauge serve did not write", folder.string());
  }
}

}  // namespace molgauge::serve
