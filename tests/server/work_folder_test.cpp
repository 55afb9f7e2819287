// Tests the work folder: its owner, its permissions, and the files that a restart keeps.

#include "server/work_folder.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/files/atomic_file.h"
#include "molgauge/error.h"
#include "served.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kId = "0123456789abcdef0123456789abcdef";

void write(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

TEST(WorkFolder, OfOthersIsRefusedAndKept) {
  const Served served;
  const fs::path mine = served.path("mine");
  write(mine / "uploads" / "mine.txt", "mine");
  write(mine / "jobs" / kId / "mine.txt", "mine");
  write(mine / ".lock", "1");
  EXPECT_EQ(served.run("serve --port 0 --work '" + mine.string() + "' 2> '" + served.path("err") + "'"),
            2 << 8);
  EXPECT_THAT(read_file(served.path("err")), HasSubstr("did not write"));
  EXPECT_EQ(read_file(mine / "uploads" / "mine.txt"), "mine");
  EXPECT_EQ(read_file(mine / "jobs" / kId / "mine.txt"), "mine");
}

TEST(WorkFolder, KeepsFilesThatItDidNotWrite) {
  Served served;
  served.end(SIGTERM);
  const fs::path work = served.path("work");
  write(work / "uploads" / "mine.txt", "mine");
  write(work / "jobs" / kId / "mine.txt", "mine");
  write(work / "uploads" / ("upload-" + kId + ".part"), "of a killed process");
  served.start();
  EXPECT_EQ(read_file(work / "uploads" / "mine.txt"), "mine");
  EXPECT_EQ(read_file(work / "jobs" / kId / "mine.txt"), "mine");
  EXPECT_FALSE(fs::exists(work / "uploads" / ("upload-" + kId + ".part")));
  // A file of the user in the folder of a job stays if the job is removed.
  const std::string job = served.post("/api/v1/domain?job=1", many_molecules(30)).json().at("job");
  ASSERT_EQ(served.finished(job).at("state"), "done");
  write(work / "jobs" / job / "mine.txt", "mine");
  EXPECT_EQ(served.request("DELETE", "/api/v1/jobs/" + job, "").status, 200);
  EXPECT_EQ(served.get("/api/v1/jobs/" + job).status, 404);
  EXPECT_EQ(read_file(work / "jobs" / (".old-" + job) / "mine.txt"), "mine");
}

TEST(WorkFolder, WithoutItsMarkIsNotTaken) {
  const TemporaryFolder folder;
  write(folder / ".lock", "123");
  write(folder / "jobs" / kId / "job.json", "{}");
  EXPECT_THROW(serve::take_work_folder(folder.path()), UsageError);
}

TEST(WorkFolder, IsPrivateToItsUser) {
  ::umask(022);
  const Served served;
  const std::string job = served.post("/api/v1/domain?job=1", many_molecules(30)).json().at("job");
  ASSERT_EQ(served.finished(job).at("state"), "done");
  EXPECT_EQ(served.get("/api/v1/jobs/" + job + "/result?as=sdf").status, 200);
  EXPECT_EQ(served.get("/api/v1/jobs/" + job + "/result").status, 200);
  std::size_t files = 0;
  const fs::path work = served.path("work");
  const auto mode_of = [](const fs::path& path) { return fs::status(path).permissions(); };
  EXPECT_EQ(mode_of(work), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(work)) {
    EXPECT_EQ(mode_of(entry.path()),
              entry.is_directory() ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
    ++files;
  }
  EXPECT_GT(files, 8U);
}

/// A restart does not delete a file that it cannot read.
TEST(WorkFolder, SetsDamagedJobsAsideAndLeavesUnreadableOnes) {
  Served served;
  const auto new_job = [&] {
    const std::string job = served.post("/api/v1/domain?job=1", many_molecules(30)).json().at("job");
    EXPECT_EQ(served.finished(job).at("state"), "done");
    return job;
  };
  const std::string order_damaged = new_job(), state_damaged = new_job(), unreadable = new_job();
  served.end(SIGKILL);
  const fs::path jobs = fs::path(served.path("work")) / "jobs";
  std::ofstream(jobs / order_damaged / "job.json") << "{";
  std::ofstream(jobs / state_damaged / "state.json") << R"({"state": "done"})";
  const std::string rows = read_file(jobs / state_damaged / "rows.ndjson");
  fs::remove(jobs / unreadable / "rows.ndjson");
  fs::create_directory(jobs / unreadable / "rows.ndjson");  // this folder can be opened, but not read as a
                                                            // file
  served.start();
  const fs::path aside = fs::path(served.path("work")) / "set-aside";
  EXPECT_TRUE(fs::exists(aside / order_damaged / "result.csv"));
  EXPECT_EQ(read_file(aside / state_damaged / "rows.ndjson"), rows);
  EXPECT_TRUE(fs::exists(jobs / unreadable / "result.csv"));
  EXPECT_EQ(served.get("/api/v1/jobs/" + unreadable).status, 404);
}

/// The age of a job is measured with a clock that does not depend on the time of day.
TEST(WorkFolder, AJumpOfTheClockRemovesNoJob) {
  Served served;
  const std::string job = served.post("/api/v1/domain?job=1", many_molecules(30)).json().at("job");
  ASSERT_EQ(served.finished(job).at("state"), "done");
  served.end(SIGTERM);
  const fs::path state = fs::path(served.path("work")) / "jobs" / job / "state.json";
  fs::last_write_time(state, fs::file_time_type::clock::now() - std::chrono::hours(1000));
  served.start();
  EXPECT_EQ(served.get("/api/v1/jobs/" + job).status, 200);
  EXPECT_EQ(served.get("/api/v1/jobs/" + job + "/result").status, 200);
}

}  // namespace
}  // namespace molgauge::test
