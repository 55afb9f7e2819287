#include "molecules/store/features/feature_table.h"

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/threads/worker_group.h"
#include "molecules/store/features/feature_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;
using testing::Each;
using testing::ElementsAre;

class FeatureTableTest : public testing::Test {
 protected:
  FeatureTable table(std::size_t width) { return store_.table(test::space_of(width)); }

  const TemporaryFolder folder_;
  const FeatureStore store_ = FeatureStore::open(folder_.path(), Access::write);
};

TEST_F(FeatureTableTest, RowsComeBackAsTheyWere) {
  for (const std::size_t width : {1, 3, 512, 2048}) {
    const FeatureTable rows = store_.table(test::space_of(width, "width=" + std::to_string(width)));
    test::write_rows(rows, 0, 10);
    EXPECT_EQ(test::count_right_rows(rows, 0, 10), 10U);
    EXPECT_EQ(rows.size(), 10U);
  }
}

TEST_F(FeatureTableTest, RowsOutliveTheStore) {
  const TemporaryFolder folder;
  const FeatureSpace space = test::space_of(8);
  test::write_rows(FeatureStore::open(folder.path(), Access::write).table(space), 0, 10);
  EXPECT_EQ(test::count_right_rows(FeatureStore::open(folder.path(), Access::read).table(space), 0, 10), 10U);
}

TEST_F(FeatureTableTest, AbsentKeysAreNotFoundAndLeaveTheirPlaceAlone) {
  const FeatureTable rows = table(2);
  test::write_rows(rows, 1, 1);
  const auto keys = test::keys_of(0, 3);
  EXPECT_THAT(rows.find(keys), ElementsAre(false, true, false));
  std::vector<float> read(6, -7.0F);
  EXPECT_THAT(rows.read(keys, read), ElementsAre(false, true, false));
  EXPECT_THAT(read, ElementsAre(-7.0F, -7.0F, 1.0F, 1.25F, -7.0F, -7.0F));
}

/// Reads many and few rows of the table, which are found in two different ways. The rows are requested in any
/// order, some are missing or requested twice, and there is one thread or several.
TEST_F(FeatureTableTest, RowsComeInTheOrderOfTheKeys) {
  const FeatureTable rows = table(600);
  test::write_rows(rows, 0, 3000);
  for (const std::size_t wanted : {3, 2500}) {
    auto molecules = std::vector<std::size_t>{3001, 7, 7, 4000};
    for (std::size_t i = 0; i < wanted; ++i) {
      molecules.push_back(i * 1009 % 3000);
    }
    std::vector<Hash128> keys;
    std::vector<float> expected;
    for (const std::size_t molecule : molecules) {
      keys.push_back(test::key_of(molecule));
      const auto row = test::rows_of(molecule, 1, 600);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    std::fill_n(expected.begin(), 600, 0.0F);
    std::fill_n(expected.begin() + std::ptrdiff_t{3} * 600, 600, 0.0F);
    for (const std::size_t threads : {1, 3}) {
      std::vector<float> read(keys.size() * 600);
      const std::vector<bool> found = rows.read(keys, read, threads);
      EXPECT_EQ(std::count(found.begin(), found.end(), false), 2);
      EXPECT_FALSE(found[0] || found[3]);
      EXPECT_EQ(read, expected);
    }
    EXPECT_EQ(std::ranges::count(rows.find(keys), true), static_cast<std::ptrdiff_t>(keys.size() - 2));
  }
}

TEST_F(FeatureTableTest, WritingAgainOverwrites) {
  const FeatureTable rows = table(512);
  test::write_rows(rows, 0, 10);
  test::write_rows(rows, 3, 2, /*version=*/1);
  EXPECT_EQ(test::count_right_rows(rows, 0, 3), 3U);
  EXPECT_EQ(test::count_right_rows(rows, 3, 2, /*version=*/1), 2U);
  EXPECT_EQ(rows.size(), 10U);
}

TEST_F(FeatureTableTest, TheLastRowCountsWhereAKeyComesTwice) {
  const FeatureTable rows = table(1);
  const std::vector<Hash128> twice(2, test::key_of(0));
  rows.write(twice, std::vector{1.0F, 2.0F});
  std::vector<float> read(2);
  rows.read(twice, read);
  EXPECT_THAT(read, Each(2.0F));
}

TEST_F(FeatureTableTest, NothingToDoIsDone) {
  const FeatureTable rows = table(4);
  rows.write({}, {});
  EXPECT_TRUE(rows.find({}).empty());
  EXPECT_TRUE(rows.read({}, {}).empty());
  EXPECT_EQ(rows.size(), 0U);
}

TEST_F(FeatureTableTest, RowsThatDoNotFitTheKeysAreABug) {
  const FeatureTable rows = table(4);
  std::vector<float> five(5);
  EXPECT_THROW(rows.write(test::keys_of(0, 1), five), std::invalid_argument);
  EXPECT_THROW(rows.read(test::keys_of(0, 1), five), std::invalid_argument);
}

TEST_F(FeatureTableTest, VisitsEveryRowInTheOrderOfTheKeys) {
  const FeatureTable rows = table(2);
  test::write_rows(rows, 0, 100);
  std::vector<Hash128> visited;
  float sum = 0;
  rows.for_each([&](const Hash128& key, std::span<const float> row) {
    visited.push_back(key);
    sum += row[0];
  });
  auto expected = test::keys_of(0, 100);
  std::ranges::sort(expected);
  EXPECT_EQ(visited, expected);
  EXPECT_EQ(sum, 99.0F * 100 / 2);
}

TEST_F(FeatureTableTest, AVisitorThatThrowsLeavesTheTableUsable) {
  const FeatureTable rows = table(2);
  test::write_rows(rows, 0, 10);
  const auto give_up = [](const Hash128&, std::span<const float>) { throw std::runtime_error("enough"); };
  EXPECT_THROW(rows.for_each(give_up), std::runtime_error);
  test::write_rows(rows, 10, 10);
  EXPECT_EQ(test::count_right_rows(rows, 0, 20), 20U);
}

TEST_F(FeatureTableTest, ServesSeveralThreadsAtOnce) {
  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kBatches = 20;
  static constexpr std::size_t kBatch = 16;
  WorkerGroup workers;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    workers.start([this, thread] {
      // Every thread has separate handles, which it opens while the others write.
      const FeatureTable rows = FeatureStore::open(folder_.path(), Access::write).table(test::space_of(64));
      for (std::size_t batch = 0; batch < kBatches; ++batch) {
        const std::size_t first = (thread * kBatches + batch) * kBatch;
        test::write_rows(rows, first, kBatch);
        EXPECT_EQ(test::count_right_rows(rows, first, kBatch), kBatch);
      }
    });
  }
  workers.join();
  constexpr std::size_t kAll = kThreads * kBatches * kBatch;
  EXPECT_EQ(test::count_right_rows(table(64), 0, kAll), kAll);
}

}  // namespace
}  // namespace molgauge::store
