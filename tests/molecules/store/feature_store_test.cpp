#include "molecules/store/features/feature_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;
using testing::HasSubstr;
using testing::Property;
using testing::Throws;
using testing::ThrowsMessage;

FeatureStore writable(const TemporaryFolder& folder) {
  return FeatureStore::open(folder / "store", Access::write);
}

TEST(FeatureStoreTest, MakesItsFolder) {
  const TemporaryFolder folder;
  FeatureStore::open(folder / "a" / "b", Access::write);
  EXPECT_TRUE(std::filesystem::exists(folder / "a" / "b" / "data.mdb"));
}

TEST(FeatureStoreTest, KeepsSpacesApart) {
  const TemporaryFolder folder;
  const FeatureStore store = writable(folder);
  const FeatureTable one = store.table(test::space_of(4, "precision=fp32"));
  const FeatureTable other = store.table(test::space_of(4, "precision=bf16"));
  test::write_rows(one, 0, 10);
  test::write_rows(other, 5, 10, /*version=*/1);
  EXPECT_EQ(test::count_right_rows(one, 0, 15), 10U);
  EXPECT_EQ(test::count_right_rows(other, 0, 15, /*version=*/1), 10U);
}

TEST(FeatureStoreTest, ReadingNeedsAStoreThatExists) {
  const TemporaryFolder folder;
  for (const auto& missing : {folder / "none", folder.path()}) {
    EXPECT_THAT([&] { FeatureStore::open(missing, Access::read); },
                ThrowsMessage<InputError>(HasSubstr(missing.string())));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "reading made something";
}

TEST(FeatureStoreTest, ReadingNeedsRowsOfTheSpace) {
  const TemporaryFolder folder;
  writable(folder).table(test::space_of(4));
  const FeatureStore store = FeatureStore::open(folder / "store", Access::read);
  EXPECT_NO_THROW(store.table(test::space_of(4)));
  EXPECT_THAT([&] { store.table(test::space_of(4, "other")); },
              ThrowsMessage<InputError>(HasSubstr("molgauge encode")));
  EXPECT_THAT([&] { store.table("nobody"); },
              ThrowsMessage<InputError>(HasSubstr(database_name(test::space_of(4)))));
}

TEST(FeatureStoreTest, ReadingChangesNothing) {
  const TemporaryFolder folder;
  test::write_rows(writable(folder).table(test::space_of(4)), 0, 10);
  const FeatureStore store = FeatureStore::open(folder / "store", Access::read);
  const FeatureTable table = store.table(test::space_of(4));
  EXPECT_THROW(test::write_rows(table, 10, 1), Error);
  EXPECT_THROW(store.prune(table.name()), Error);
  EXPECT_THROW(store.prune_damaged(), Error);
  EXPECT_EQ(test::count_right_rows(table, 0, 11), 10U);
}

TEST(FeatureStoreTest, OpenedTwiceIsOneStore) {
  const TemporaryFolder folder;
  const FeatureStore one = writable(folder);
  std::filesystem::create_directory_symlink(folder / "store", folder / "alias");
  const FeatureStore other = FeatureStore::open(folder / "alias", Access::read);
  const FeatureTable table = one.table(test::space_of(4));
  test::write_rows(table, 0, 10);
  EXPECT_EQ(test::count_right_rows(other.table(test::space_of(4)), 0, 10), 10U);
}

TEST(FeatureStoreTest, IsNotOpenedForWritingWhileHeldForReading) {
  const TemporaryFolder folder;
  writable(folder);
  {
    const FeatureStore reader = FeatureStore::open(folder / "store", Access::read);
    EXPECT_THAT([&] { writable(folder); }, ThrowsMessage<Error>(HasSubstr((folder / "store").string())));
  }
  EXPECT_NO_THROW(writable(folder)) << "the reader has closed it";
}

TEST(FeatureStoreTest, ATableOutlivesItsStore) {
  const TemporaryFolder folder;
  const FeatureTable table = writable(folder).table(test::space_of(4));
  test::write_rows(table, 0, 10);
  EXPECT_EQ(test::count_right_rows(table, 0, 10), 10U);
}

TEST(FeatureStoreTest, PruningEmptiesOneTable) {
  const TemporaryFolder folder;
  const FeatureStore store = writable(folder);
  const FeatureTable pruned = store.table(test::space_of(512, "pruned"));
  const FeatureTable kept = store.table(test::space_of(512, "kept"));
  test::write_rows(pruned, 0, 1000);
  test::write_rows(kept, 0, 10);
  const auto used = store.report().bytes_used;

  EXPECT_EQ(store.prune(pruned.name()), 1000U);
  EXPECT_EQ(pruned.size(), 0U);
  EXPECT_EQ(test::count_right_rows(pruned, 0, 1000), 0U);
  EXPECT_EQ(test::count_right_rows(kept, 0, 10), 10U);
  EXPECT_THROW(store.prune("nobody"), InputError);

  // LMDB reuses the pages that a transaction freed only in the second transaction after it.
  test::write_rows(kept, 0, 10);
  test::write_rows(pruned, 0, 900);
  EXPECT_EQ(test::count_right_rows(pruned, 0, 900), 900U);
  EXPECT_LE(store.report().bytes_used, used + used / 4) << "the freed pages are not used again";
}

TEST(FeatureStoreTest, ATableOfAnotherWidthHasToBePrunedFirst) {
  const TemporaryFolder folder;
  const FeatureStore store = writable(folder);
  test::write_rows(store.table(test::space_of(4)), 0, 10);
  EXPECT_THAT([&] { store.table(test::space_of(5)); },
              ThrowsMessage<InputError>(HasSubstr("Prune that database")));

  store.prune(database_name(test::space_of(4)));
  const FeatureTable wider = store.table(test::space_of(5));
  test::write_rows(wider, 0, 10);
  EXPECT_EQ(test::count_right_rows(wider, 0, 10), 10U);
  EXPECT_EQ(store.table(wider.name()).space(), test::space_of(5));
}

TEST(FeatureStoreTest, ReportsTablesWithRows) {
  const TemporaryFolder folder;
  const FeatureStore store = writable(folder);
  store.table(test::space_of(512, "empty"));
  test::write_rows(store.table(test::space_of(512)), 0, 100);

  const StoreReport report = store.report();
  EXPECT_EQ(report.folder, folder / "store");
  ASSERT_EQ(report.tables.size(), 1U);
  EXPECT_EQ(report.tables[0].name, database_name(test::space_of(512)));
  EXPECT_EQ(report.tables[0].space, test::space_of(512));
  EXPECT_EQ(report.tables[0].rows, 100U);
  constexpr std::uint64_t kNumbers = 100 * 512 * sizeof(float);
  EXPECT_GE(report.tables[0].bytes, kNumbers);
  EXPECT_LE(report.tables[0].bytes, 3 * kNumbers);
  EXPECT_GE(report.bytes_used, report.tables[0].bytes);
  EXPECT_GE(report.bytes_on_disk, report.tables[0].bytes);
}

TEST(FeatureStoreTest, AWholeStoreVerifies) {
  const TemporaryFolder folder;
  const FeatureStore store = writable(folder);
  test::write_rows(store.table(test::space_of(512)), 0, 100);
  test::write_rows(store.table(test::space_of(4, "other")), 0, 10);
  const Verification verification = store.verify();
  EXPECT_EQ(verification.rows, 110U);
  EXPECT_EQ(verification.damaged, 0U);
  EXPECT_TRUE(verification.findings.empty());
  EXPECT_EQ(store.prune_damaged(), 0U);
}

}  // namespace
}  // namespace molgauge::store
