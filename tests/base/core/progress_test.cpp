#include "base/core/session/progress.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/session/standard_streams.h"
#include "base/core/threads/worker_group.h"

namespace molgauge {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Stderr is captured into a file, so these tests see the content of a log file: plain lines, no progress bar.

TEST(Progress, PrintsALineAtEveryTenth) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecule", 100, false);
    for (int i = 0; i < 100; ++i) {
      progress.advance(1);
    }
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10) << text;
  EXPECT_THAT(text, StartsWith("encode: 10 of 100 molecules (10 %), "));
  EXPECT_THAT(text, HasSubstr("encode: 100 of 100 molecules (100 %), "));
}

TEST(Progress, SkippedUnitsCountInTheTotalAlone) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecule", 100, false);
    progress.skip(50);
    EXPECT_EQ(progress.rate(), 0);
    const double before = progress.rate();
    progress.advance(10);
    EXPECT_GT(progress.rate(), before);
    progress.skip(40);
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, StartsWith("encode: 60 of 100 molecules (60 %), "));
  EXPECT_THAT(text, HasSubstr("/s, 0"));
  EXPECT_THAT(text, HasSubstr("encode: 100 of 100 molecules (100 %), "));
}

TEST(Progress, WorkOfAnEarlierRunTakesOneLine) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecule", 100, false);
    for (int i = 0; i < 100; ++i) {
      progress.skip(1);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "encode: 100 of 100 molecules (100 %), already done\n");
}

TEST(Progress, QuietPrintsNothing) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecule", 2, true);
    progress.advance(2);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, IsSilentWhereInformationIs) {
  testing::internal::CaptureStderr();
  silence_information();
  {
    Progress progress("encode", "molecule", 2, false);
    progress.advance(2);
  }
  silence_information(false);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, CountsOneMolecule) {
  testing::internal::CaptureStderr();
  {
    Progress progress("encode", "molecule", 1, false);
    progress.advance(1);
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), StartsWith("encode: 1 of 1 molecule (100 %), "));
}

TEST(Progress, OfUnknownTotalSpeaksAtTheEnd) {
  testing::internal::CaptureStderr();
  {
    Progress progress("read", "row", 0, false);
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
    Progress progress("encode", "molecule", 4000, false);
    parallel_for(4000, 4, [&](std::size_t) { progress.advance(1); });
    EXPECT_GT(progress.rate(), 0);
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("4000 of 4000 molecules (100 %), "));
}

}  // namespace
}  // namespace molgauge
