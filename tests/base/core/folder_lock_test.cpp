#include "base/core/files/folder_lock.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/core/error.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

using testing::HasSubstr;

TEST(FolderLock, NamesTheProcessThatHoldsTheFolder) {
  const test::TemporaryFolder folder;
  const FolderLock first(folder.path());
  try {
    const FolderLock second(folder.path());
    FAIL() << "two holders of one folder";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(folder.path().string()));
    EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(getpid())));
  }
}

TEST(FolderLock, LetsGoAtItsEnd) {
  const test::TemporaryFolder folder;
  { const FolderLock first(folder.path()); }
  EXPECT_NO_THROW(const FolderLock second(folder.path()));
}

TEST(FolderLock, RefusesAFolderThatIsNotThere) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(const FolderLock lock(folder / "absent"), Error);
}

}  // namespace
}  // namespace molgauge
