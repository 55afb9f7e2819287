#include "core/progress.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/worker_group.h"

namespace headroom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Stderr is captured into a file, so these see what a log file would: plain lines, no bar.

TEST(Progress, PrintsALineAtEveryTenth) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecules", 100, false);
    for (int i = 0; i < 100; ++i) {
      progress.advance(1);
    }
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10) << text;
  EXPECT_THAT(text, StartsWith("encode: 10% (10 molecules, "));
  EXPECT_THAT(text, HasSubstr("encode: 100% (100 molecules, "));
}

TEST(Progress, QuietPrintsNothing) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecules", 2, true);
    progress.advance(2);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, OfUnknownTotalSpeaksAtTheEnd) {
  testing::internal::CaptureStderr();
  {
    Progress progress("read", "rows", 0, false);
    progress.advance(3);
    progress.advance(4);
    progress.finish();
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_THAT(text, StartsWith("read: 7 rows, "));
  EXPECT_THAT(text, Not(HasSubstr("%")));
}

TEST(Progress, CountsAdvancesOfSeveralThreads) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecules", 4000, false);
    parallel_for(4000, 4, [&](std::size_t) { progress.advance(1); });
    EXPECT_GT(progress.rate(), 0);
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("100% (4000 molecules, "));
}

}  // namespace
}  // namespace headroom
