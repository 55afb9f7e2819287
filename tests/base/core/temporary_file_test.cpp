#include "base/core/files/temporary_file.h"

#include <chrono>
#include <csignal>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// A process that has written a temporary file for `path` and runs until end().
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    process_ = fork();
    if (process_ == 0) {
      std::ofstream(temporary_name(path, "tmp")) << "half of it";
      std::ofstream(temporary_name(path, "part")) << "half of it";
      [[maybe_unused]] const ssize_t told = write(ready[1], "", 1);
      while (true) {
        pause();
      }
    }
    char told = 0;
    EXPECT_EQ(read(ready[0], &told, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  ~Writer() { end(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void end() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
      process_ = 0;
    }
  }

 private:
  pid_t process_ = 0;
};

TEST(TemporaryFile, WhatAKilledProcessLeftIsRemovedByTheNextWriteOfThatFile) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "features.npy";
  Writer writer(path);
  replace_file(path, "by another process");
  EXPECT_EQ(files_in(folder.path()), 3U) << "the files of a process that lives were removed";
  writer.end();
  replace_file(folder.path() / "features.npy.json", "of another name");
  EXPECT_EQ(files_in(folder.path()), 4U) << "the files of another name were removed";
  replace_file(path, "by another process");
  EXPECT_EQ(files_in(folder.path()), 2U);
}

TEST(TemporaryFile, FilesThatAreNotOursStay) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a";
  Writer writer(path);
  writer.end();
  const auto left = *std::filesystem::directory_iterator(folder.path());
  const std::string name = left.path().filename().string();  // .a.NUMBER-MACHINE.EXTENSION
  const std::string number = name.substr(3, name.find('-') - 3);
  const std::string machine = name.substr(name.find('-') + 1, 8);
  const std::string other_machine = (machine[0] == '0' ? '1' : '0') + machine.substr(1);
  for (const std::string& foreign :
       {"a." + number + "-" + machine + ".tmp", ".a." + number + ".tmp",
        ".a." + number + "-" + machine + ".txt", ".a." + number + "-" + other_machine + ".tmp",
        ".a.-" + machine + ".tmp", ".a.0-" + machine + ".tmp", ".a.-" + number + "-" + machine + ".tmp",
        std::string(".a.tmp")}) {
    std::ofstream(folder.path() / foreign) << "mine";
  }
  std::filesystem::create_directory(folder.path() / (".a." + number + "-" + machine + ".part.d"));
  remove_stale_temporaries(path);
  EXPECT_EQ(files_in(folder.path()), 9U);
}

/// The file belongs to a process of an earlier boot or of another machine. It is unknown whether the process
/// still runs.
TEST(TemporaryFile, FilesOfUnknownProcessesAreRemovedAfterAWeekWithoutAWrite) {
  const test::TemporaryFolder folder;
  const auto recent = folder.path() / ".a.4711-01234567.tmp", old = folder.path() / ".a.4711-89abcdef.part",
             foreign = folder.path() / ".a.4711-notamark.tmp";
  for (const auto& file : {recent, old, foreign}) {
    std::ofstream(file) << "half of it";
  }
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(recent, now - std::chrono::hours(6 * 24));
  std::filesystem::last_write_time(old, now - std::chrono::hours(8 * 24));
  std::filesystem::last_write_time(foreign, now - std::chrono::hours(800 * 24));
  remove_stale_temporaries(folder.path() / "a");
  EXPECT_TRUE(std::filesystem::exists(recent));
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(foreign));
}

}  // namespace
}  // namespace molgauge
