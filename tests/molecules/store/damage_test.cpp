#include <cstring>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "raw_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kWidth = 512;

FeatureTable table_of(const FeatureStore& store) { return store.table(test::space_of(kWidth)); }

/// Writes molecules 0 to `count` - 1 into a store and closes it.
void make_store(const TemporaryFolder& folder, std::size_t count) {
  test::write_rows(table_of(FeatureStore::open(folder.path(), Access::write)), 0, count);
}

/// The key bytes of the row of the molecule in data.mdb.
std::string numbers_of(std::size_t molecule) {
  const auto row = test::rows_of(molecule, 1, kWidth);
  std::string bytes(row.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), row.data(), bytes.size());
  return bytes;
}

TEST(DamagedRow, IsFoundAndCountsAsAbsent) {
  const TemporaryFolder folder;
  make_store(folder, 5);
  ASSERT_TRUE(test::flip_bit_in(folder.path(), numbers_of(3)));

  const FeatureStore store = FeatureStore::open(folder.path(), Access::read);
  const FeatureTable table = table_of(store);
  EXPECT_THAT(table.find(test::keys_of(0, 5)), ElementsAre(true, true, true, false, true));
  EXPECT_EQ(test::count_right_rows(table, 0, 5), 4U);
  std::size_t visited = 0;
  table.for_each([&](const Hash128&, std::span<const float>) { ++visited; });
  EXPECT_EQ(visited, 4U);

  const Verification verification = store.verify();
  EXPECT_EQ(verification.rows, 5U);
  EXPECT_EQ(verification.damaged, 1U);
  EXPECT_THAT(verification.findings, ElementsAre(HasSubstr(table.name())));
}

TEST(DamagedRow, IsPrunedAlone) {
  const TemporaryFolder folder;
  make_store(folder, 50);
  ASSERT_TRUE(test::flip_bit_in(folder.path(), numbers_of(3)));
  ASSERT_TRUE(test::flip_bit_in(folder.path(), numbers_of(30)));

  const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
  EXPECT_EQ(store.prune_damaged(), 2U);
  EXPECT_EQ(table_of(store).size(), 48U);
  EXPECT_EQ(test::count_right_rows(table_of(store), 0, 50), 48U);
  EXPECT_EQ(store.verify().damaged, 0U);
}

TEST(DamagedRow, IsHealedByWritingItAgain) {
  const TemporaryFolder folder;
  make_store(folder, 5);
  ASSERT_TRUE(test::flip_bit_in(folder.path(), numbers_of(3)));

  const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
  test::write_rows(table_of(store), 3, 1);
  EXPECT_EQ(test::count_right_rows(table_of(store), 0, 5), 5U);
  EXPECT_EQ(store.verify().damaged, 0U);
}

TEST(DamagedRow, MayHaveAnyKeyAndAnyLength) {
  const TemporaryFolder folder;
  make_store(folder, 5);
  const std::string name = database_name(test::space_of(kWidth));
  const Hash128 key = test::key_of(9);
  test::put_raw(folder.path(), name, "short key", std::string(40, 'x'));
  test::put_raw(folder.path(), name, std::string(key.begin(), key.end()), "x");

  const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
  EXPECT_EQ(test::count_right_rows(table_of(store), 0, 10), 5U);
  EXPECT_EQ(store.verify().damaged, 2U);
  EXPECT_EQ(store.prune_damaged(), 2U);
  EXPECT_EQ(store.verify().rows, 5U);
}

// Pruning leaves free pages at the end of the file, which LMDB does not write.
TEST(DamagedRow, AStorePrunedOfThemOpensForReading) {
  for (std::size_t count = 1; count <= 12; ++count) {
    const TemporaryFolder folder;
    make_store(folder, count);
    for (std::size_t molecule = 0; molecule < count; ++molecule) {
      ASSERT_TRUE(test::flip_bit_in(folder.path(), numbers_of(molecule)));
    }
    EXPECT_EQ(FeatureStore::open(folder.path(), Access::write).prune_damaged(), count);
    EXPECT_EQ(FeatureStore::open(folder.path(), Access::read).verify().rows, 0U);
  }
}

// Whatever part of the file is lost, the store reports the loss or works. The process does not crash.
TEST(CutFile, IsRefusedForReadingAndRepairedOrRefusedForWriting) {
  constexpr std::size_t kRows = 400;
  const TemporaryFolder whole;
  make_store(whole, kRows);
  const auto size = std::filesystem::file_size(whole / "data.mdb");
  for (std::uintmax_t kept = 0; kept < size; kept += size / 24) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(whole / "data.mdb", folder / "data.mdb");
    std::filesystem::resize_file(folder / "data.mdb", kept);
    const auto use_store = [&] {
      try {
        FeatureStore::open(folder.path(), Access::read);
        return false;
      } catch (const Error& refused) {
        EXPECT_THAT(refused.what(), HasSubstr(folder.path().string()));
      }
      try {
        const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
        const FeatureTable table = table_of(store);
        test::count_right_rows(table, 0, kRows);
        store.verify();
        store.prune_damaged();
        test::write_rows(table, 0, kRows);
        return test::count_right_rows(table, 0, kRows) == kRows;
      } catch (const InputError& refused) {
        return std::string(refused.what()).find(folder.path().string()) != std::string::npos &&
               std::filesystem::file_size(folder / "data.mdb") == kept;
      }
    };
    EXPECT_EQ(test::run_in_child([&] { return use_store() && !testing::Test::HasFailure(); }), "exit 0")
        << kept << " of " << size << " bytes kept";
  }
}

/// Leaves hold the keys of rows. Branches hold copies of the first key of each page. Each copy is damaged in
/// turn.
TEST(DamagedKey, IsReportedAndTheTreeIsMadeAgainFromTheIntactRows) {
  constexpr std::size_t kRows = 400;
  const TemporaryFolder undamaged;
  make_store(undamaged, kRows);
  const std::string whole = read_file(undamaged / "data.mdb");
  std::size_t trials = 0, misled = 0;
  for (std::size_t molecule = 0; molecule < kRows; molecule += 7) {
    const Hash128 key = test::key_of(molecule);
    const std::string bytes(reinterpret_cast<const char*>(key.data()), key.size());
    for (std::size_t place = whole.find(bytes); place != std::string::npos;
         place = whole.find(bytes, place + 1)) {
      SCOPED_TRACE("molecule " + std::to_string(molecule) + ", byte " + std::to_string(place));
      const TemporaryFolder folder;
      std::filesystem::copy(
          undamaged.path(), folder.path(),
          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
      std::string damaged = whole;
      damaged[place] = static_cast<char>(damaged[place] ^ 0x40);
      replace_file(folder / "data.mdb", damaged);
      const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
      const std::size_t found = test::count_right_rows(table_of(store), 0, kRows);
      const bool is_reported = store.verify().damaged > 0;
      ++trials;
      misled += is_reported ? 1U : 0U;
      EXPECT_TRUE(found == kRows || is_reported);
      EXPECT_LE(store.prune_damaged(), 1U);
      EXPECT_EQ(store.verify().damaged, 0U);
      EXPECT_GE(test::count_right_rows(table_of(store), 0, kRows), kRows - 1);
      // Writes the rows that are absent, as encode does.
      test::write_rows(table_of(store), 0, kRows);
      EXPECT_EQ(test::count_right_rows(table_of(store), 0, kRows), kRows);
      for (std::size_t one = 0; one < kRows; one += 13) {
        EXPECT_EQ(test::count_right_rows(table_of(store), one, 1), 1U);
      }
    }
  }
  EXPECT_GT(misled, 10U) << "of " << trials;
}

TEST(StoreFiles, PipesAndDevicesAreRefused) {
  for (const char* const name : {"data.mdb", "lock.mdb"}) {
    const TemporaryFolder folder;
    make_store(folder, 5);
    std::filesystem::remove(folder / name);
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    EXPECT_THROW(FeatureStore::open(folder.path(), Access::write), InputError);
    std::filesystem::remove(folder / name);
    std::filesystem::create_symlink("/dev/zero", folder / name);
    EXPECT_THROW(FeatureStore::open(folder.path(), Access::read), InputError);
  }
}

}  // namespace
}  // namespace molgauge::store
