#include "base/core/files/path_identity.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/fixtures.h"

namespace molgauge {
namespace {

namespace fs = std::filesystem;

class PathIdentities : public testing::Test {
 protected:
  PathIdentities() {
    fs::create_directories(base_ / "a" / "b");
    std::ofstream(base_ / "a" / "file") << "content";
  }

  bool same(const fs::path& one, const fs::path& other) const {
    return PathIdentity(base_ / one).is_same(PathIdentity(base_ / other));
  }
  bool within(const fs::path& file, const fs::path& folder) const {
    return PathIdentity(base_ / file).is_within(PathIdentity(base_ / folder));
  }

  const test::TemporaryFolder folder_;
  const fs::path base_ = fs::canonical(folder_.path());
};

TEST_F(PathIdentities, AreEqualForEverySpelling) {
  EXPECT_TRUE(same("a/file", "a/./b/../file"));
  EXPECT_TRUE(same("a/file", "a//file"));
  EXPECT_TRUE(same("a/file", "absent/../a/file")) << "a folder that is missing";
  EXPECT_TRUE(same("new", "absent/../a/../new")) << "a file that is missing";
  EXPECT_FALSE(same("a/file", "a/other"));
  EXPECT_FALSE(same("new", "a/new"));
}

TEST_F(PathIdentities, FollowLinksToFilesAndFolders) {
  fs::create_symlink("a/file", base_ / "link");
  fs::create_directory_symlink("a/b", base_ / "folder");
  fs::create_symlink("a/absent", base_ / "broken");
  fs::create_hard_link(base_ / "a" / "file", base_ / "hard");
  EXPECT_TRUE(same("link", "a/file"));
  EXPECT_TRUE(same("hard", "a/file"));
  EXPECT_TRUE(same("broken", "a/absent"));
  EXPECT_TRUE(same("folder/../file", "a/file")) << "the parent of the folder that the link leads to";
  EXPECT_TRUE(same("folder/new", "a/b/new"));
}

TEST_F(PathIdentities, OfALoopOfLinksAreTheirNames) {
  fs::create_symlink("two", base_ / "one");
  fs::create_symlink("one", base_ / "two");
  EXPECT_FALSE(PathIdentity(base_ / "one").exists());
  EXPECT_TRUE(same("one", "one"));
  EXPECT_FALSE(same("one", "two"));
}

TEST_F(PathIdentities, KnowWhichFolderHoldsThem) {
  fs::create_directory_symlink("a", base_ / "other-name");
  EXPECT_TRUE(within("a/file", "a"));
  EXPECT_TRUE(within("a/b/absent/new", "a"));
  EXPECT_TRUE(within("other-name/file", "a"));
  EXPECT_TRUE(within("a/file", "other-name"));
  EXPECT_TRUE(within("a", "a"));
  EXPECT_FALSE(within("a", "a/b"));
  EXPECT_FALSE(within("ab/file", "a"));
}

TEST_F(PathIdentities, AreOrderedByDeviceAndInode) {
  fs::create_directory_symlink("a", base_ / "other-name");
  EXPECT_EQ(PathIdentity(base_ / "a").node(), PathIdentity(base_ / "other-name").node());
  EXPECT_NE(PathIdentity(base_ / "a").node(), PathIdentity(base_ / "a" / "b").node());
  EXPECT_FALSE(PathIdentity(base_ / "absent").node());
}

}  // namespace
}  // namespace molgauge
