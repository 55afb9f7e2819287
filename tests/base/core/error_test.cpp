#include "base/core/error.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/read_problem.h"

namespace molgauge {
namespace {

using testing::HasSubstr;

TEST(Error, KindsCarryTheirExitCode) {
  EXPECT_EQ(static_cast<int>(Error("x").code()), 1);
  EXPECT_EQ(static_cast<int>(UsageError("x").code()), 2);
  EXPECT_EQ(static_cast<int>(InputError("x").code()), 3);
  EXPECT_EQ(static_cast<int>(Interrupted().code()), 130);
  EXPECT_EQ(static_cast<int>(Error("x", ExitCode::over_budget).code()), 4);
}

TEST(SystemError, NamesThePathTheReasonAndTheFix) {
  EXPECT_STREQ(system_error("a/b", "open", ENOENT).what(),
               "a/b: cannot open: No such file or directory. Check the path");
  EXPECT_THAT(system_error("a/b", "write", ENOSPC).what(), HasSubstr("Free some space"));
  EXPECT_THAT(system_error("a/b", "write", EACCES).what(),
              HasSubstr("Choose a folder with write permission"));
}

TEST(ReadProblem, NamesTheFix) {
  const InputError missing = read_problem("a/b", ENOENT), locked = read_problem("a/b", EACCES);
  EXPECT_STREQ(missing.what(), "a/b: cannot read: No such file or directory. Check the path");
  EXPECT_STREQ(locked.what(), "a/b: cannot read: Permission denied. Change its permissions");
  EXPECT_EQ(static_cast<int>(missing.code()), 3);
}

}  // namespace
}  // namespace molgauge
