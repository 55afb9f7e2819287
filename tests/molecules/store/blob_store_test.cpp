// Tests that values of varying size are in the same store as rows, and are as safe as rows after kills, full
// disks and damage.

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "blobs.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/store/lmdb/lmdb_pages.h"
#include "molecules/store/tables/stored_value.h"
#include "raw_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

BlobTable open_table(const std::filesystem::path& folder, Access access) {
  return BlobStore::open(folder, access).table(test::blob_space());
}

std::string as_text(const Blob& blob) { return {reinterpret_cast<const char*>(blob.data()), blob.size()}; }

TEST(BlobStore, GivesValuesBackAsTheyWere) {
  const TemporaryFolder folder;
  test::write_blobs(open_table(folder.path(), Access::write), 0, 300);
  const BlobTable table = open_table(folder.path(), Access::read);
  EXPECT_EQ(table.size(), 300U);
  EXPECT_EQ(test::count_right_blobs(table, 0, 400), 300U);
  std::size_t visited = 0;
  table.for_each([&](const Hash128&, std::span<const std::byte>) { ++visited; });
  EXPECT_EQ(visited, 300U);
}

TEST(BlobStore, KnowsTheSizesOfWhatIsThere) {
  const TemporaryFolder folder;
  const BlobTable table = open_table(folder.path(), Access::write);
  const std::vector<Hash128> keys = {hash128("one"), hash128("none"), hash128("empty")};
  const std::vector<Hash128> written = {keys[0], keys[2]};
  table.write(written, std::vector<Blob>{Blob(5000), Blob()});
  EXPECT_THAT(table.sizes(keys), ElementsAre(5000U, std::nullopt, 0U));
}

TEST(BlobStore, OverwritesAndKeepsSpacesApart) {
  const TemporaryFolder folder;
  const BlobStore store = BlobStore::open(folder.path(), Access::write);
  const BlobTable one = store.table(test::blob_space("one")), other = store.table(test::blob_space("other"));
  test::write_blobs(one, 0, 50);
  test::write_blobs(one, 10, 5, /*version=*/1);
  test::write_blobs(other, 0, 3, /*version=*/2);
  EXPECT_EQ(test::count_right_blobs(one, 10, 5, /*version=*/1), 5U);
  EXPECT_EQ(test::count_right_blobs(one, 15, 35), 35U);
  EXPECT_EQ(test::count_right_blobs(other, 0, 50, /*version=*/2), 3U);
  EXPECT_EQ(store.prune(other.name()), 3U);
  EXPECT_EQ(one.size(), 50U);
  EXPECT_THAT([&] { store.prune("conformers-none"); },
              ThrowsMessage<InputError>(HasSubstr("conformers-none")));
}

TEST(BlobStore, LiesBesideTheRowsAndReportsBoth) {
  const TemporaryFolder folder;
  const FeatureStore features = FeatureStore::open(folder.path(), Access::write);
  const BlobStore blobs = BlobStore::open(folder.path(), Access::write);
  test::write_rows(features.table(test::space_of(8)), 0, 20);
  test::write_blobs(blobs.table(test::blob_space()), 0, 30);
  ASSERT_EQ(features.report().tables.size(), 1U) << "rows alone";
  EXPECT_EQ(features.report().tables[0].rows, 20U);
  ASSERT_EQ(blobs.report().size(), 1U);
  EXPECT_EQ(blobs.report()[0].blobs, 30U);
  EXPECT_EQ(blobs.report()[0].space, test::blob_space());
  EXPECT_GT(blobs.report()[0].bytes, 30U * 1000);
  EXPECT_EQ(features.verify().rows, 20U);
  EXPECT_EQ(blobs.verify().rows, 30U);
}

TEST(BlobStore, ReadsWhatIsThereAndWritesNothing) {
  const TemporaryFolder folder;
  EXPECT_THROW(BlobStore::open(folder.path(), Access::read), InputError);
  FeatureStore::open(folder.path(), Access::write);
  EXPECT_THAT([&] { open_table(folder.path(), Access::read); },
              ThrowsMessage<InputError>(HasSubstr("no conformers made with recipe=1")));
  test::write_blobs(open_table(folder.path(), Access::write), 0, 2);
  const BlobTable table = open_table(folder.path(), Access::read);
  EXPECT_THROW(test::write_blobs(table, 2, 1), Error);
  EXPECT_THROW(BlobStore::open(folder.path(), Access::read).prune_damaged(), Error);
}

TEST(BlobStore, RefusesNamesAndSizesThatCannotBe) {
  EXPECT_THROW(database_name(BlobSpace{.kind = "a/b", .options = ""}), UsageError);
  EXPECT_NE(database_name(test::blob_space("one")), database_name(test::blob_space("other")));
  EXPECT_THROW(blob_space_from_json("{}"), InputError);
  EXPECT_EQ(blob_space_from_json(to_json(test::blob_space())), test::blob_space());
  const TemporaryFolder folder;
  const BlobTable table = open_table(folder.path(), Access::write);
  const std::vector<Blob> huge(1, Blob(kLargestBlob + 1));
  EXPECT_THROW(table.write(test::keys_of(0, 1), huge), InputError);
  EXPECT_THROW(table.write(test::keys_of(0, 2), huge), std::invalid_argument);
  EXPECT_EQ(table.size(), 0U);
}

TEST(StoredBlob, EveryByteIsCovered) {
  const Hash128 key = test::key_of(1);
  std::vector<std::byte> value;
  pack_value(key, ContentType::bytes, test::blob_of(2), value);
  EXPECT_TRUE(whole_content(key, ContentType::bytes, value));
  EXPECT_FALSE(whole_content(test::key_of(2), ContentType::bytes, value)) << "of another key";
  for (std::size_t i = 0; i < value.size(); i += i < 64 ? 1 : 97) {
    value[i] ^= std::byte{4};
    EXPECT_FALSE(whole_content(key, ContentType::bytes, value)) << i;
    value[i] ^= std::byte{4};
  }
  for (std::size_t length = 0; length < value.size(); length += length < 32 ? 1 : 113) {
    EXPECT_FALSE(whole_content(key, ContentType::bytes, std::span(value).first(length))) << length;
  }
}

TEST(DamagedBlob, IsFoundCountsAsAbsentAndIsPrunedOrHealed) {
  const TemporaryFolder folder;
  test::write_blobs(open_table(folder.path(), Access::write), 0, 20);
  ASSERT_TRUE(test::flip_bit_in(folder.path(), as_text(test::blob_of(3)).substr(0, 64)));
  ASSERT_TRUE(test::flip_bit_in(folder.path(), as_text(test::blob_of(7)).substr(0, 64)));
  test::put_raw(folder.path(), database_name(test::blob_space()), "short key", "x");

  const BlobStore store = BlobStore::open(folder.path(), Access::write);
  const BlobTable table = store.table(test::blob_space());
  EXPECT_EQ(test::count_right_blobs(table, 0, 20), 18U);
  const Verification verification = store.verify();
  EXPECT_EQ(verification.rows, 21U);
  EXPECT_EQ(verification.damaged, 3U);
  EXPECT_THAT(verification.findings[0], HasSubstr(table.name()));
  test::write_blobs(table, 3, 1);
  EXPECT_EQ(test::count_right_blobs(table, 0, 20), 19U);
  EXPECT_EQ(store.prune_damaged(), 2U);
  EXPECT_EQ(store.verify().damaged, 0U);
  EXPECT_EQ(table.size(), 19U);
}

/// One flipped bit anywhere in the file causes an error that names the folder, or fewer values, but never a
/// wrong value.
TEST(DamagedBlob, NeverTakesTheProcessDown) {
  const TemporaryFolder whole;
  test::write_blobs(open_table(whole.path(), Access::write), 0, 200);
  const std::string bytes = read_file(whole / "data.mdb");
  std::mt19937 random(11);
  for (int i = 0; i < 16; ++i) {
    const TemporaryFolder folder;
    std::string damaged = bytes;
    const std::size_t place =
        i % 2 == 0 ? random() % bytes.size() : random() % (bytes.size() / 4096) * 4096 + random() % 64;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << i % 8));
    std::ofstream(folder / "data.mdb", std::ios::binary) << damaged;
    const auto use = [&] {
      try {
        const BlobStore store = BlobStore::open(folder.path(), Access::write);
        const BlobTable table = store.table(test::blob_space());
        test::count_right_blobs(table, 0, 200);
        store.verify();
        store.prune_damaged();
        test::write_blobs(table, 0, 250);
        return test::count_right_blobs(table, 0, 250) == 250 && !testing::Test::HasFailure();
      } catch (const InputError& refused) {
        return std::string(refused.what()).find(folder.path().string()) != std::string::npos;
      }
    };
    EXPECT_EQ(test::run_in_child(use), "exit 0") << "byte " << place;
  }
}

TEST(FullDisk, CostsTheValuesInFlightAlone) {
  const TemporaryFolder folder;
  const auto fill_disk = [&] {
    const BlobTable table = open_table(folder.path(), Access::write);
    test::write_blobs(table, 0, 50);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t length = std::filesystem::file_size(folder / "data.mdb");
    const rlimit limit{length + length / 2, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      test::write_blobs(table, 50, 1000);
      return false;
    } catch (const Error& refused) {
      return test::count_right_blobs(table, 0, 1050) == 50 &&
             std::string(refused.what()).find(folder.path().string()) != std::string::npos;
    }
  };
  EXPECT_EQ(test::run_in_child(fill_disk), "exit 0");
  const BlobStore store = BlobStore::open(folder.path(), Access::write);
  EXPECT_EQ(test::count_right_blobs(store.table(test::blob_space()), 0, 1050), 50U);
  EXPECT_EQ(store.verify().damaged, 0U);
}

TEST(SeveralProcesses, WriteValuesAndRowsAtOnce) {
  const TemporaryFolder folder;
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < 4; ++process) {
    children.push_back(test::start_child([&] {
      const BlobTable blobs = open_table(folder.path(), Access::write);
      const FeatureTable rows = FeatureStore::open(folder.path(), Access::write).table(test::space_of(16));
      for (std::size_t batch = 0; batch < 20; ++batch) {
        test::write_blobs(blobs, (process * 20 + batch) * 4, 4);
        test::write_rows(rows, (process * 20 + batch) * 4, 4);
      }
      return true;
    }));
  }
  for (const pid_t child : children) {
    EXPECT_EQ(test::wait_for_child(child), "exit 0");
  }
  EXPECT_EQ(test::count_right_blobs(open_table(folder.path(), Access::read), 0, 320), 320U);
  EXPECT_EQ(FeatureStore::open(folder.path(), Access::read).verify().rows, 320U);
}

TEST(SeveralProcesses, AKilledWriterLosesTheValuesInFlightAlone) {
  const TemporaryFolder folder;
  std::size_t reported = 0;
  for (int round = 0; round < 12; ++round) {
    test::Pipe progress;
    const pid_t child = test::start_child([&]() -> bool {
      const BlobTable table = open_table(folder.path(), Access::write);
      for (std::size_t batch = reported;; ++batch) {
        test::write_blobs(table, batch * 4, 4);
        progress.send(static_cast<int>(batch) + 1);
      }
    });
    progress.close_writing_end();
    int batches = static_cast<int>(reported);
    for (int awaited = round % 4; awaited > 0; --awaited) {
      EXPECT_TRUE(progress.receive(batches));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(701 * round % 5000));
    kill(child, SIGKILL);
    EXPECT_EQ(test::wait_for_child(child), "signal 9");
    while (progress.receive(batches)) {
    }
    reported = static_cast<std::size_t>(batches);
    const BlobTable table = open_table(folder.path(), Access::write);
    EXPECT_EQ(test::count_right_blobs(table, 0, reported * 4), reported * 4) << "round " << round;
  }
  EXPECT_GT(reported, 0U);
  const Verification verification = BlobStore::open(folder.path(), Access::read).verify();
  EXPECT_EQ(verification.damaged, 0U);
  EXPECT_EQ(verification.rows % 4, 0U) << "half of a transaction is there";
}

}  // namespace
}  // namespace molgauge::store
