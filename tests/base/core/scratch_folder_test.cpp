#include "base/core/files/scratch_folder.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

std::size_t entries_of(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

TEST(ScratchFolder, IsRemovedWithTheObject) {
  const test::TemporaryFolder parent;
  std::filesystem::path path;
  {
    const ScratchFolder folder(parent.path(), "scratch");
    path = folder.path();
    std::ofstream(path / "file") << "text";
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(ScratchFolder(parent / "absent", "scratch"), Error);
}

TEST(ScratchFolder, StaysWhileItsProcessLives) {
  const test::TemporaryFolder parent;
  const ScratchFolder folder(parent.path(), "scratch");
  ScratchFolder::remove_stale(parent.path(), "scratch");
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(ScratchFolder, OfAKilledProcessIsRemoved) {
  const test::TemporaryFolder parent;
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const ScratchFolder folder(parent.path(), "scratch");
    std::ofstream(folder.path() / "file") << "text";
    [[maybe_unused]] const ssize_t told = write(pipe_ends[1], "x", 1);
    pause();
    _exit(0);
  }
  char told = 0;
  ASSERT_EQ(read(pipe_ends[0], &told, 1), 1);
  ScratchFolder::remove_stale(parent.path(), "scratch");
  EXPECT_EQ(entries_of(parent.path()), 1U);  // the process still runs
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ScratchFolder::remove_stale(parent.path(), "other");
  EXPECT_EQ(entries_of(parent.path()), 1U);
  ScratchFolder::remove_stale(parent.path(), "scratch");
  EXPECT_EQ(entries_of(parent.path()), 0U);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(ScratchFolder, OtherEntriesStay) {
  const test::TemporaryFolder parent;
  for (const char* const name : {"scratch-12345", "scratch-1234567", "scratch-a.b.cd", "scratches-abcdef"}) {
    std::filesystem::create_directory(parent / name);
  }
  std::ofstream(parent / "scratch-abcdef") << "a file";
  std::filesystem::create_directory_symlink(parent / "scratch-12345", parent / "scratch-fedcba");
  ScratchFolder::remove_stale(parent.path(), "scratch");
  ScratchFolder::remove_stale(parent / "absent", "scratch");
  EXPECT_EQ(entries_of(parent.path()), 6U);
}

}  // namespace
}  // namespace molgauge
