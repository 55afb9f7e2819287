#include "core/temporary_file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>

#include <unistd.h>

#include "core/hash.h"
#include "core/hexadecimal.h"

namespace headroom {
namespace {

/// A mark for all processes whose numbers have the same meaning here: those of one boot of one machine, in
/// one container.
const std::string& machine_mark() {
  static const std::string mark = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    std::error_code unknown;
    const auto processes = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
    constexpr std::size_t kDigits = 8;
    return to_hexadecimal(hash128(boot + ' ' + processes.string())).substr(0, kDigits);
  }();
  return mark;
}

/// The number of the process in "4711-0f3a9c5e.tmp"; none where the mark is that of another machine.
std::optional<pid_t> owner_of(std::string_view text) {
  pid_t owner = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), owner);
  const auto rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool is_ours = rest == "-" + machine_mark() + ".tmp" || rest == "-" + machine_mark() + ".part";
  return problem == std::errc() && owner > 0 && is_ours ? std::optional(owner) : std::nullopt;
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

void remove_stale_temporaries(const std::filesystem::path& path) {
  const std::string start = "." + path.filename().string() + ".";
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder_of(path), failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    const auto owner =
        name.starts_with(start) ? owner_of(std::string_view(name).substr(start.size())) : std::nullopt;
    std::error_code kept;
    if (owner && !is_alive(*owner) && std::filesystem::is_regular_file(entry->symlink_status(kept))) {
      std::filesystem::remove(entry->path(), kept);
    }
  }
}

}  // namespace headroom
