#include "base/memory/measure/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/core/error.h"

namespace molgauge::memory {
namespace {

/// Names of the files in one version of control groups.
struct ControlGroupFiles {
  std::filesystem::path root;
  const char *limit, *usage, *droppable_cache;
  std::uint64_t machine_total;
};

std::optional<std::uint64_t> read_number(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::uint64_t number = 0;
  // Version 2 writes "max" for a group without a limit.
  return stream >> number ? std::optional(number) : std::nullopt;
}

/// Reads the number after `key` in lines of the form "key number", from the current position of the stream.
std::optional<std::uint64_t> find_number(std::istream& stream, const std::string& key) {
  std::string word;
  while (stream >> word && word != key) {
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  std::uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> find_number(const std::filesystem::path& path, const std::string& key) {
  std::ifstream stream(path);
  return find_number(stream, key);
}

/// Applies the limit of one group. A parent with a higher limit may have less memory left, because its other
/// members use some. If the limit is not below the memory of the machine, the memory use of the group is not
/// read. This saves time in single-molecule calls.
void apply_limit(const ControlGroupFiles& files, const std::filesystem::path& group, MachineMemory& memory) {
  const auto limit = read_number(group / files.limit);
  if (!limit || *limit >= files.machine_total) {  // version 1 writes a number near 2^63 for "no limit"
    return;
  }
  const std::uint64_t usage = read_number(group / files.usage).value_or(0);
  const std::uint64_t cache = find_number(group / "memory.stat", files.droppable_cache).value_or(0);
  const std::uint64_t needed = usage - std::min(usage, cache);
  memory.total = std::min(memory.total, *limit);
  memory.available = std::min(memory.available, *limit - std::min(*limit, needed));
}

/// Applies the limits of all groups from the group of this process up to the root. The lowest limit counts.
void apply_limits(const ControlGroupFiles& files, std::filesystem::path group, MachineMemory& memory) {
  group = group.relative_path();
  apply_limit(files, files.root / group, memory);
  while (!group.empty()) {
    group = group.parent_path();
    apply_limit(files, files.root / group, memory);
  }
}

bool lists_memory(std::string_view controllers) {
  return ("," + std::string(controllers) + ",").find(",memory,") != std::string::npos;
}

}  // namespace

MachineMemory machine_memory(const std::filesystem::path& root) {
  const auto meminfo = root / "proc/meminfo";
  std::ifstream figures(meminfo);
  const auto total =
      find_number(figures, "MemTotal:");  // MemTotal is the first line, MemAvailable comes later
  const auto available = find_number(figures, "MemAvailable:");
  if (!total || !available) {
    throw Error(meminfo.string() + ": cannot read the memory of this machine. Mount /proc and run again");
  }
  MachineMemory memory{*total * 1024, *available * 1024};

  const auto groups = root / "sys/fs/cgroup";
  const ControlGroupFiles version1{groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                   "total_inactive_file", memory.total};
  const ControlGroupFiles version2{groups, "memory.max", "memory.current", "inactive_file", memory.total};
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line;
       std::getline(stream, line);) {  // "ID:CONTROLLERS:PATH". In version 2, CONTROLLERS is empty
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) {
      apply_limits(version2, line.substr(second + 1), memory);
    } else if (lists_memory(controllers)) {
      apply_limits(version1, line.substr(second + 1), memory);
    }
  }
  memory.available = std::min(memory.available, memory.total);
  return memory;
}

}  // namespace molgauge::memory
