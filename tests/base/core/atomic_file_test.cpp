#include "base/core/files/atomic_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(ReplaceFile, WritesAndReplaces) {
  const test::TemporaryFolder folder;
  const std::string binary("new\0\n", 5);
  replace_file(folder / "a.json", "old");
  EXPECT_EQ(read_file(folder / "a.json"), "old");
  replace_file(folder / "a.json", binary);
  EXPECT_EQ(read_file(folder / "a.json"), binary);
  EXPECT_EQ(files_in(folder.path()), 1U) << "a temporary file was left behind";
}

TEST(ReplaceFile, FailureLeavesTheOldContentAndNoTemporaryFile) {
  const test::TemporaryFolder folder;
  replace_file(folder / "a.json", "old");
  const auto write_half = [](const std::filesystem::path& temporary) {
    std::ofstream(temporary) << "ne";
    throw InputError("the writer failed");
  };
  EXPECT_THROW(replace_file(folder / "a.json", write_half), InputError);
  EXPECT_EQ(read_file(folder / "a.json"), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(ReplaceFile, HoldsTheOldContentUntilTheWriterIsDone) {
  const test::TemporaryFolder folder;
  replace_file(folder / "a.json", "old");
  replace_file(folder / "a.json", [&](const std::filesystem::path& temporary) {
    std::ofstream(temporary) << "new";
    EXPECT_EQ(read_file(folder / "a.json"), "old");
    EXPECT_EQ(temporary.parent_path(), folder.path()) << "a rename must not cross file systems";
  });
  EXPECT_EQ(read_file(folder / "a.json"), "new");
}

TEST(ReplaceFile, AWriterThatWritesNothingIsAnError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(replace_file(folder / "a.json", [](const std::filesystem::path&) {}), Error);
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(ReplaceFile, NamesTheFileThatCannotBeWritten) {
  const test::TemporaryFolder folder;
  const auto missing = folder / "none" / "a.json";
  try {
    replace_file(missing, "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(missing.string()));
    EXPECT_THAT(error.what(), testing::HasSubstr("No such file"));
  }
}

TEST(ReplaceFile, AFolderIsNotReplaced) {
  const test::TemporaryFolder folder;
  make_folder(folder / "taken" / "inner");
  EXPECT_THROW(replace_file(folder / "taken", "x"), Error);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "taken" / "inner"));
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(MakeFolder, MakesParentsAndAcceptsWhatIsThere) {
  const test::TemporaryFolder folder;
  make_folder(folder / "a" / "b" / "c");
  make_folder(folder / "a" / "b" / "c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a" / "b" / "c"));
  replace_file(folder / "file", "x");
  EXPECT_THROW(make_folder(folder / "file" / "below"), Error);
}

TEST(ReadFile, RefusesFoldersAndWhatIsNotThere) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(read_file(folder.path()), InputError);
  EXPECT_THROW(read_file(folder / "none"), InputError);
  replace_file(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "empty"), "");
}

TEST(ReplaceFile, WritesToWhatASymbolicLinkPointsTo) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  replace_file(folder / "elsewhere" / "a.json", "old");
  std::filesystem::create_symlink(folder / "elsewhere" / "a.json", folder / "link");
  replace_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "elsewhere" / "a.json"), "new");
}

TEST(ReplaceFile, WritesToAFileThatALinkPointsToBeforeItIsThere) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::create_symlink("elsewhere/second", folder / "first");
  std::filesystem::create_symlink("a.json", folder / "elsewhere" / "second");
  replace_file(folder / "first", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "elsewhere" / "second"));
  EXPECT_EQ(read_file(folder / "elsewhere" / "a.json"), "new");
}

TEST(ReplaceFile, ALoopOfLinksIsNamedAndStays) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  try {
    replace_file(folder / "a", "text");
    FAIL();
  } catch (const Error& refused) {
    EXPECT_THAT(refused.what(), testing::AllOf(testing::HasSubstr((folder / "a").string()),
                                               testing::HasSubstr("points back to itself")));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "a"));
}

TEST(ReplaceFile, LeavesWhatIsNoRegularFile) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/null", folder / "null");
  for (const char* const name : {"pipe", "null"}) {
    try {
      replace_file(folder / name, "text");
      FAIL() << name;
    } catch (const Error& refused) {
      EXPECT_THAT(refused.what(), testing::HasSubstr("not a regular file"));
    }
  }
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ReadFile, AReadErrorIsNotTheEnd) { EXPECT_THROW(read_file("/proc/self/mem"), InputError); }

}  // namespace
}  // namespace molgauge
