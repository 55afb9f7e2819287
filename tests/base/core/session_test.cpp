#include "molgauge/session.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/core/session/standard_streams.h"

namespace molgauge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(Session, IsTheOnlyOneOfTheProcess) {
  {
    const Session session;
    EXPECT_THROW(Session(), UsageError);
  }
  EXPECT_NO_THROW(Session());
}

TEST(Session, TakesTheLog) {
  set_log_level(LogLevel::info);
  std::vector<std::pair<LogLevel, std::string>> lines;
  testing::internal::CaptureStderr();
  {
    const Session session({.log_level = LogLevel::info, .log = [&](LogLevel level, std::string_view text) {
                             lines.emplace_back(level, text);
                           }});
    log_debug("left out");
    log_warning("{} of {}", 1, 2);
    print_info("wrote {}\n", "a.npy");
  }
  log_info("after the session");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("after the session\n"));
  EXPECT_THAT(lines, ElementsAre(Pair(LogLevel::warning, "1 of 2"), Pair(LogLevel::info, "wrote a.npy")));
}

TEST(Session, LeavesOutInformationBelowItsLogLevel) {
  std::vector<std::string> lines;
  {
    const Session session({.log_level = LogLevel::warning,
                           .log = [&](LogLevel, std::string_view text) { lines.emplace_back(text); }});
    print_info("wrote {}\n", "a.npy");
    log_warning("the disk is nearly full");
  }
  EXPECT_THAT(lines, ElementsAre("the disk is nearly full"));
}

TEST(Session, TakesProgress) {
  std::vector<std::size_t> done;
  std::string seen;
  testing::internal::CaptureStderr();
  {
    const Session session({.progress = [&](const ProgressReport& report) {
      done.push_back(report.done);
      seen =
          std::string(report.title) + " " + std::string(report.unit) + (report.finished ? " finished" : "");
      EXPECT_EQ(report.total, 10U);
    }});
    Progress progress("encode", "molecule", 10, false);
    progress.advance(10);
    progress.finish();
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
  EXPECT_EQ(done.back(), 10U);
  EXPECT_EQ(seen, "encode molecule finished");
}

TEST(Session, KeepsItsWorkWhenAFunctionOfTheProgramThrows) {
  const Session session({.log = [](LogLevel, std::string_view) { throw std::string("no reason to stop"); }});
  EXPECT_NO_THROW(log_info("seen"));
}

TEST(Session, StopsTheWorkThatRuns) {
  {
    Session session;
    session.stop();
    EXPECT_THROW(throw_if_cancelled(), Interrupted);
  }
  EXPECT_NO_THROW(throw_if_cancelled());
}

TEST(Session, IsQuietWhereAskedTo) {
  testing::internal::CaptureStderr();
  {
    const Session session({.quiet = true});
    print_info("unsaid\n");
    Progress progress("encode", "molecule", 1, false);
    progress.advance(1);
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

}  // namespace
}  // namespace molgauge
