#include "base/core/session/process_limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "support/no_more_threads.h"

namespace molgauge {
namespace {

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

/// Returns the result of `question` under a limit of `bytes` for the resource. The question runs in a child
/// process, so this process keeps its limits.
template <typename Question>
int answer_under(decltype(RLIMIT_AS) resource, rlim_t bytes, const Question& question) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {bytes, RLIM_INFINITY};
    setrlimit(resource, &limit);
    _exit(question());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(AddressSpaceLeft, IsWhatTheLimitsLeave) {
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    // The mappings of the test itself may be large, for example under a sanitizer. The limit is far above
    // them.
    constexpr rlim_t limit = 1024 * 1024 * kGibibyte;
    EXPECT_EQ(answer_under(resource, limit,
                           [] {
                             const auto left = address_space_left();
                             return left && *left<limit&& * left> 0 ? 1 : 0;
                           }),
              1);
  }
}

TEST(AddressSpaceLeft, IsNothingBelowWhatIsTaken) {
  EXPECT_EQ(answer_under(RLIMIT_AS, 1, [] { return address_space_left() == 0 ? 1 : 0; }), 1);
}

TEST(StartableThreads, AreAsManyAsAreWantedOrAsThereAre) {
  EXPECT_EQ(startable_threads(5), 5U);
  EXPECT_NO_THROW(require_threads(5));
  const test::NoMoreThreads no_more;
  EXPECT_EQ(startable_threads(5), 0U);
  try {
    require_threads(5);
    FAIL() << "threads that cannot be started were promised";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_NE(std::string(error.what()).find("ulimit -u"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace molgauge
