#include "core/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "support/fixtures.h"

namespace headroom {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Log, WritesTimeNameLevelTextToStderr) {
  testing::internal::CaptureStderr();
  start_logging("info");
  spdlog::debug("unseen");
  spdlog::info("seen");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, ContainsRegex("[0-9-]+ [0-9:]+,[0-9]+ - headroom - info - seen\n"));
  EXPECT_THAT(text, Not(HasSubstr("unseen")));
}

TEST(Log, RefusesALevelItDoesNotKnow) { EXPECT_THROW(start_logging("loud"), UsageError); }

TEST(LogFile, AppendsAsLongAsItLives) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "training.log";
  testing::internal::CaptureStderr();
  start_logging("info");
  for (const char* text : {"first run", "second run"}) {
    const LogFile file(path);
    spdlog::info(text);
  }
  spdlog::info("afterwards");
  testing::internal::GetCapturedStderr();
  const std::string content = read_file(path);
  EXPECT_THAT(content, ContainsRegex(" - headroom - info - first run\n.* - headroom - info - second run\n"));
  EXPECT_THAT(content, Not(HasSubstr("afterwards")));
}

TEST(LogFile, NamesTheFileThatCannotBeWritten) {
  const test::TemporaryFolder folder;
  replace_file(folder / "file", "x");
  EXPECT_THROW(LogFile(folder / "file" / "training.log"), Error);
}

}  // namespace
}  // namespace headroom
