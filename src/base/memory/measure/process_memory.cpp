#include "base/memory/measure/process_memory.h"

#include <fstream>
#include <limits>

namespace molgauge::memory {

std::optional<ProcessMemory> process_memory(long pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/status");
  ProcessMemory found;
  bool is_alive = false;
  for (std::string key; stream >> key;) {
    std::uint64_t number = 0;
    if (key == "Name:") {
      stream >> found.name;
    } else if (key == "VmHWM:" && stream >> number) {
      found.peak = number * 1024;
    } else if (key == "VmRSS:" && stream >> number) {
      found.resident = number * 1024;
      is_alive = true;  // the line is missing for a zombie process
    } else if (key == "Threads:") {
      stream >> found.threads;
    }
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return is_alive ? std::optional(found) : std::nullopt;
}

}  // namespace molgauge::memory
