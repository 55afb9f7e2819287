#include <gtest/gtest.h>

#include "base/core/threads/worker_group.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;

// 80 MB, more than the 64 MiB of the first map.
constexpr std::size_t kRows = 40000;
constexpr std::size_t kWidth = 512;
constexpr std::size_t kBatch = 2000;

void write_in_batches(const FeatureTable& table) {
  for (std::size_t first = 0; first < kRows; first += kBatch) {
    test::write_rows(table, first, kBatch);
  }
}

TEST(MapGrowth, InOneTransaction) {
  const TemporaryFolder folder;
  const FeatureTable table = FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth));
  test::write_rows(table, 0, kRows);
  EXPECT_EQ(test::count_right_rows(table, 0, kRows), kRows);
}

TEST(MapGrowth, OverManyTransactionsWhileOthersRead) {
  const TemporaryFolder folder;
  const FeatureTable table = FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth));
  WorkerGroup workers;
  workers.start([&] { write_in_batches(table); });
  workers.start([&] {
    std::size_t before = 0;
    while (before < kRows) {
      const std::size_t now = table.size();
      EXPECT_GE(now, before);
      EXPECT_EQ(now % kBatch, 0U) << "half of a transaction can be seen";
      before = now;
    }
  });
  workers.join();
  EXPECT_EQ(test::count_right_rows(table, 0, kRows), kRows);
}

TEST(MapGrowth, AStoreThatIsLargerThanTheFirstMapOpens) {
  const TemporaryFolder folder;
  write_in_batches(FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth)));
  const FeatureStore store = FeatureStore::open(folder.path(), Access::read);
  EXPECT_EQ(store.verify().rows, kRows);
}

// The child has a map of 64 MiB when this process makes the file larger.
TEST(MapGrowth, FollowsAnotherProcess) {
  for (const Access access : {Access::read, Access::write}) {
    const TemporaryFolder folder;
    test::write_rows(FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth)), 0, 1);
    test::Pipe opened;
    const test::Pipe grown;
    const pid_t child = test::start_child([&] {
      const FeatureTable table = FeatureStore::open(folder.path(), access).table(test::space_of(kWidth));
      if (test::count_right_rows(table, 0, 1) != 1) {
        return false;
      }
      opened.send(1);
      int unused = 0;
      if (!grown.receive(unused)) {
        return false;
      }
      if (access == Access::write) {
        test::write_rows(table, kRows, kBatch);
        return test::count_right_rows(table, 0, kRows + kBatch) == kRows + kBatch;
      }
      return test::count_right_rows(table, 0, kRows) == kRows;
    });
    opened.close_writing_end();
    int unused = 0;
    ASSERT_TRUE(opened.receive(unused));
    write_in_batches(FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth)));
    grown.send(1);
    EXPECT_EQ(test::wait_for_child(child), "exit 0");
  }
}

}  // namespace
}  // namespace molgauge::store
