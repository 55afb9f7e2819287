#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/core/error.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;

constexpr std::size_t kWidth = 512;
constexpr std::size_t kBatch = 16;

FeatureTable open_table(const std::filesystem::path& folder, Access access) {
  return FeatureStore::open(folder, access).table(test::space_of(kWidth));
}

void expect_whole(const std::filesystem::path& folder) {
  const Verification verification = FeatureStore::open(folder, Access::read).verify();
  EXPECT_EQ(verification.damaged, 0U);
  EXPECT_EQ(verification.rows % kBatch, 0U) << "half of a transaction is there";
}

TEST(SeveralProcesses, WriteAtOnce) {
  constexpr std::size_t kProcesses = 4;
  constexpr std::size_t kBatches = 40;
  const TemporaryFolder folder;
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < kProcesses; ++process) {
    children.push_back(test::start_child([&] {
      const FeatureTable table = open_table(folder.path(), Access::write);
      for (std::size_t batch = 0; batch < kBatches; ++batch) {
        test::write_rows(table, (process * kBatches + batch) * kBatch, kBatch);
      }
      return test::count_right_rows(table, process * kBatches * kBatch, kBatches * kBatch) ==
             kBatches * kBatch;
    }));
  }
  for (const pid_t child : children) {
    EXPECT_EQ(test::wait_for_child(child), "exit 0");
  }
  constexpr std::size_t kAll = kProcesses * kBatches * kBatch;
  EXPECT_EQ(test::count_right_rows(open_table(folder.path(), Access::read), 0, kAll), kAll);
  expect_whole(folder.path());
}

TEST(SeveralProcesses, MakeOneNewStoreAtOnce) {
  constexpr std::size_t kProcesses = 8;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    const TemporaryFolder folder;
    test::Pipe start;
    std::vector<pid_t> children;
    for (std::size_t process = 0; process < kProcesses; ++process) {
      children.push_back(test::start_child([&] {
        start.close_writing_end();
        int unused = 0;
        start.receive(unused);  // all of them continue when the parent closes its end
        test::write_rows(open_table(folder / "new", Access::write), process * kBatch, kBatch);
        return true;
      }));
    }
    start.close_writing_end();
    for (const pid_t child : children) {
      EXPECT_EQ(test::wait_for_child(child), "exit 0");
    }
    EXPECT_EQ(test::count_right_rows(open_table(folder / "new", Access::read), 0, kProcesses * kBatch),
              kProcesses * kBatch);
  }
}

TEST(SeveralProcesses, AReaderSeesWhatAnotherProcessWrote) {
  const TemporaryFolder folder;
  open_table(folder.path(), Access::write);
  const test::Pipe written;
  const pid_t child = test::start_child([&] {
    const FeatureTable table = open_table(folder.path(), Access::read);
    int unused = 0;
    return written.receive(unused) && test::count_right_rows(table, 0, kBatch) == kBatch;
  });
  test::write_rows(open_table(folder.path(), Access::write), 0, kBatch);
  written.send(1);
  EXPECT_EQ(test::wait_for_child(child), "exit 0");
}

// Every batch is reported after it was written. The batches that were reported before the kill must therefore
// exist after the kill.
TEST(SeveralProcesses, AKilledWriterLosesTheBatchInFlightAlone) {
  constexpr int kRounds = 12;
  const TemporaryFolder folder;
  std::size_t reported = 0;
  for (int round = 0; round < kRounds; ++round) {
    test::Pipe progress;
    const pid_t child = test::start_child([&]() -> bool {
      const FeatureTable table = open_table(folder.path(), Access::write);
      for (std::size_t batch = reported;; ++batch) {
        test::write_rows(table, batch * kBatch, kBatch);
        progress.send(static_cast<int>(batch) + 1);
      }
    });
    progress.close_writing_end();
    int batches = static_cast<int>(reported);
    // The kill comes at any moment: in every fourth round while the store is being opened, otherwise in a
    // later batch.
    for (int awaited = round % 4; awaited > 0; --awaited) {
      EXPECT_TRUE(progress.receive(batches));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(701 * round % 5000));
    kill(child, SIGKILL);
    EXPECT_EQ(test::wait_for_child(child), "signal 9");
    while (progress.receive(batches)) {
    }
    reported = static_cast<std::size_t>(batches);
    const FeatureTable table = open_table(folder.path(), Access::write);
    EXPECT_EQ(test::count_right_rows(table, 0, reported * kBatch), reported * kBatch) << "round " << round;
  }
  EXPECT_GT(reported, 0U);
  expect_whole(folder.path());
}

/// In two containers that share a store, different processes may both have the number 1. LMDB then confuses
/// their locks.
TEST(SeveralProcesses, OneOfAnotherContainerWithTheSameNumberIsExplained) {
  const TemporaryFolder folder;
  { test::write_rows(FeatureStore::open(folder.path(), Access::write).table(test::space_of(4)), 0, 3); }
  test::Pipe ready, done;
  const pid_t ours = getpid();
  const pid_t child = fork();
  if (child == 0) {
    const int file = open((folder / "lock.mdb").c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = ours;
    lock.l_len = 1;
    ready.send(fcntl(file, F_SETLK, &lock));
    done.close_writing_end();
    int nothing = 0;
    done.receive(nothing);
    _exit(0);
  }
  int locked = -1;
  ASSERT_TRUE(ready.receive(locked));
  ASSERT_EQ(locked, 0);
  try {
    const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
    test::count_right_rows(store.table(test::space_of(4)), 0, 3);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another container"));
  }
  done.close_writing_end();
  EXPECT_EQ(test::wait_for_child(child), "exit 0");
}

}  // namespace
}  // namespace molgauge::store
