#include "base/core/session/process_limits.h"

#include <algorithm>
#include <fstream>
#include <latch>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/resource.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/core/error.h"

namespace molgauge {
namespace {

std::optional<std::uint64_t> limit_of(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::nullopt;
  }
  return limit.rlim_cur;
}

/// Reads a size in bytes from /proc/self/status. `key`: "VmSize:" for the address space (ulimit -v), or
/// "VmData:" for the data segment (ulimit -d).
std::uint64_t status_bytes(const std::string& key) {
  const std::string path = "/proc/self/status";
  std::ifstream stream(path);
  for (std::string word; stream >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == key && stream >> kibibytes) {
      return kibibytes * 1024;
    }
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  throw Error(path + ": cannot read the memory of this process. Mount /proc and run again");
}

void apply(int resource, const std::string& key, std::optional<std::uint64_t>& left) {
  if (const auto limit = limit_of(resource)) {
    const std::uint64_t rest = *limit - std::min(*limit, status_bytes(key));
    left = std::min(left.value_or(rest), rest);
  }
}

}  // namespace

std::optional<std::uint64_t> address_space_left() {
  std::optional<std::uint64_t> left;
  apply(RLIMIT_AS, "VmSize:", left);
  apply(RLIMIT_DATA, "VmData:", left);
  return left;
}

void memory_from_one_heap() {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
#endif
}

std::size_t startable_threads(std::size_t wanted) {
  std::latch all_started(1);
  std::vector<std::thread> threads;
  try {
    threads.reserve(wanted);
    while (threads.size() < wanted) {
      threads.emplace_back([&all_started] { all_started.wait(); });
    }
  } catch (const std::system_error&) {
    // The function returns the number of threads that were started.
  } catch (const std::bad_alloc&) {
    // The function returns the number of threads that were started.
  }
  all_started.count_down();
  for (std::thread& thread : threads) {
    thread.join();
  }
  return threads.size();
}

void require_threads(std::size_t wanted) {
  const std::size_t startable = startable_threads(wanted);
  if (startable < wanted) {
    throw Error("the system lets this program start " + std::to_string(startable) + " more threads, of the " +
                    std::to_string(wanted) +
                    " that it needs. Allow more processes (ulimit -u, or pids.max of the control group) or "
                    "more address space for their stacks (ulimit -v), or use fewer --threads",
                ExitCode::over_budget);
  }
}

}  // namespace molgauge
