#include "base/core/files/temporary_file.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include <unistd.h>

#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge {
namespace {

constexpr std::size_t kMarkDigits = 8;

/// Returns a text that identifies the current boot of this machine and the current container. A process ID
/// identifies a process only within the same boot and container.
const std::string& machine_mark() {
  static const std::string mark = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    std::error_code unknown;
    const auto processes = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
    return to_hexadecimal(hash128(boot + ' ' + processes.string())).substr(0, kMarkDigits);
  }();
  return mark;
}

/// A temporary file that has not changed for this time counts as abandoned. A process that is still writing
/// changes its file more often.
constexpr std::chrono::hours kAbandonedAfter(7 * 24);

struct Owner {
  pid_t process = 0;
  bool is_known = false;  ///< whether the process belongs to this boot of this machine and to this container
};

/// Parses the process from "4711-0f3a9c5e.tmp". Returns nothing if the text has another form.
std::optional<Owner> owner_of(std::string_view text) {
  Owner owner;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), owner.process);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (problem != std::errc() || owner.process <= 0 || rest.size() < kMarkDigits + 1 || rest.front() != '-') {
    return std::nullopt;
  }
  const auto mark = rest.substr(1, kMarkDigits), kind = rest.substr(kMarkDigits + 1);
  const bool is_mark = mark.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!is_mark || (kind != ".tmp" && kind != ".part" && kind != ".new")) {
    return std::nullopt;
  }
  owner.is_known = mark == machine_mark();
  return owner;
}

bool is_abandoned(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(file, unknown);
  return !unknown && std::filesystem::file_time_type::clock::now() - written > kAbandonedAfter;
}

bool is_alive(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path temporary_name(const std::filesystem::path& path, std::string_view kind) {
  return folder_of(path) / ("." + path.filename().string() + "." + std::to_string(getpid()) + "-" +
                            machine_mark() + "." + std::string(kind));
}

namespace {

/// Calls remove() for each temporary file or folder of `path` that a killed process has left.
void for_each_stale(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::directory_entry&)>& remove) {
  const std::string start = "." + path.filename().string() + ".";
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder_of(path), failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    const auto owner =
        name.starts_with(start) ? owner_of(std::string_view(name).substr(start.size())) : std::nullopt;
    if (owner && (owner->is_known ? !is_alive(owner->process) : is_abandoned(entry->path()))) {
      remove(*entry);
    }
  }
}

}  // namespace

void remove_stale_temporaries(const std::filesystem::path& path) {
  for_each_stale(path, [](const std::filesystem::directory_entry& entry) {
    std::error_code kept;
    if (std::filesystem::is_regular_file(entry.symlink_status(kept))) {
      std::filesystem::remove(entry.path(), kept);
    }
  });
}

void remove_stale_folders(const std::filesystem::path& path) {
  for_each_stale(path, [](const std::filesystem::directory_entry& entry) {
    std::error_code kept;
    if (entry.path().extension() == ".new" && std::filesystem::is_directory(entry.symlink_status(kept))) {
      std::filesystem::remove_all(entry.path(), kept);
    }
  });
}

}  // namespace molgauge
