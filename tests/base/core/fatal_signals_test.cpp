#include "base/core/session/fatal_signals.h"

#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

/// Reads a page of a mapped file after another program has truncated the file.
void read_what_was_cut_off(const std::filesystem::path& path) {
  constexpr std::size_t kBytes = std::size_t{1} << 16;
  replace_file(path, std::string(kBytes, 'x'));
  const int descriptor = open(path.c_str(), O_RDONLY);
  const auto* const bytes =
      static_cast<const volatile char*>(mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, descriptor, 0));
  if (truncate(path.c_str(), 0) == 0) {
    [[maybe_unused]] const char last = bytes[kBytes - 1];
  }
}

TEST(FatalSignalsDeathTest, AMappedFileThatIsCutShortEndsTheProcessWithAMessage) {
  const test::TemporaryFolder folder;
  EXPECT_EXIT(
      {
        handle_file_signals();
        read_what_was_cut_off(folder.path() / "data.mdb");
      },
      testing::ExitedWithCode(1), "another program has truncated.*Finished work is kept");
}

TEST(FatalSignalsDeathTest, AFileThatMayNotGrowIsAnErrorLikeAFullDisk) {
  const test::TemporaryFolder folder;
  EXPECT_EXIT(
      {
        handle_file_signals();
        rlimit limit{};
        limit.rlim_cur = limit.rlim_max = 1000;
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
          replace_file(folder.path() / "large", std::string(100'000, 'x'));
        } catch (const Error& refusal) {
          fprintf(stderr, "%s\n", refusal.what());
          _exit(static_cast<int>(refusal.code()));
        }
      },
      testing::ExitedWithCode(1), "large: cannot write: File too large. Raise the limit.*ulimit -f");
}

}  // namespace
}  // namespace molgauge
