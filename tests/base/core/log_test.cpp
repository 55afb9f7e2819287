#include "base/core/session/log.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/status_line.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Log, WritesTimeNameLevelTextToStderr) {
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::info);
  log_debug("unseen");
  log_info("seen");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, ContainsRegex("[0-9-]+ [0-9:]+,[0-9]+ - molgauge - info - seen\n"));
  EXPECT_THAT(text, Not(HasSubstr("unseen")));
}

TEST(Log, RefusesALevelItDoesNotKnow) { EXPECT_THROW(parse_log_level("loud"), UsageError); }

TEST(Log, WritesEveryMessageOnALineOfItsOwn) {
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::info);
  log_warning("{}", "first\n2026-01-01 00:00:00,000 - molgauge - info - forged\x1b[2J");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_THAT(text, HasSubstr("first\\n2026"));
  EXPECT_THAT(text, HasSubstr("forged\\x1b[2J"));
}

TEST(Log, GoesAboveTheStatusLine) {
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::info);
  draw_status_line("half");
  log_info("seen");
  end_status_line();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              ContainsRegex("^\r\x1b.Khalf\r\x1b.K[0-9].* - seen\nhalf\n$"));
}

TEST(LogFile, AppendsAsLongAsItLives) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "training.log";
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::info);
  for (const char* text : {"first run", "second run"}) {
    LogFile file;
    file.open(path);
    log_info("{}", text);
  }
  log_info("afterwards");
  testing::internal::GetCapturedStderr();
  const std::string content = read_file(path);
  EXPECT_THAT(content, ContainsRegex(" - molgauge - info - first run\n.* - molgauge - info - second run\n"));
  EXPECT_THAT(content, Not(HasSubstr("afterwards")));
}

TEST(LogFile, HoldsWhatWasLoggedBeforeItWasOpened) {
  const test::TemporaryFolder folder;
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::info);
  {
    LogFile file;
    log_warning("while loading");
    file.open(folder / "training.log");
    file.append(LogLevel::warning, "for the file");
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("while loading"));
  EXPECT_THAT(told, Not(HasSubstr("for the file")));
  EXPECT_THAT(read_file(folder / "training.log"),
              ContainsRegex("warning - while loading\n.*warning - for the file\n"));
}

TEST(LogFile, HoldsInformationThatStderrIsSpared) {
  const test::TemporaryFolder folder;
  testing::internal::CaptureStderr();
  set_log_level(LogLevel::error);
  {
    LogFile file;
    file.open(folder / "training.log");
    log_info("an epoch");
    log_error("a failure");
  }
  log_info("afterwards");
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, Not(HasSubstr("an epoch")));
  EXPECT_THAT(told, Not(HasSubstr("afterwards")));
  EXPECT_THAT(told, HasSubstr("a failure"));
  EXPECT_THAT(read_file(folder / "training.log"), ContainsRegex("info - an epoch\n.*error - a failure\n"));
}

TEST(LogFile, NamesTheFileThatCannotBeWritten) {
  const test::TemporaryFolder folder;
  replace_file(folder / "file", "x");
  LogFile file;
  EXPECT_THROW(file.open(folder / "file" / "training.log"), Error);
}

}  // namespace
}  // namespace molgauge
