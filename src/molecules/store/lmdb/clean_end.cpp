#include "molecules/store/lmdb/clean_end.h"

#include <array>
#include <ctime>
#include <exception>
#include <fstream>
#include <optional>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace molgauge::store {
namespace {

/// Returns the text of the note for the present state of the data file. The first word is the version of the
/// note.
std::optional<std::string> describe(const std::filesystem::path& data, std::uint64_t transaction) {
  struct stat status {};
  if (stat(data.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return fmt::format("1 transaction {} bytes {} changed {}.{:09}\n", transaction, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

bool ended_cleanly(const std::filesystem::path& folder, std::uint64_t transaction) {
  const auto now = describe(folder / "data.mdb", transaction);
  std::ifstream note(folder / "checked", std::ios::binary);
  std::string noted;
  return now && std::getline(note, noted) && noted + '\n' == *now;
}

void note_clean_end(const std::filesystem::path& folder, std::uint64_t transaction) noexcept {
  try {
    const std::filesystem::path data = folder / "data.mdb";
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const std::array<timespec, 2> times = {timespec{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, now};
    if (utimensat(AT_FDCWD, data.c_str(), times.data(), 0) != 0) {
      return;
    }
    if (const auto description = describe(data, transaction)) {
      std::ofstream(folder / "checked", std::ios::binary | std::ios::trunc) << *description;
    }
  } catch (const std::exception&) {
    // Without the note, the trees are checked again when the store is opened next. This costs only time.
  }
}

}  // namespace molgauge::store
