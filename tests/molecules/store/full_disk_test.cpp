#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/core/error.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;

constexpr std::size_t kWidth = 512;

/// Limits the size of all files of this process from now on, as on a full disk.
bool limit_files(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, RLIM_INFINITY};
  return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

/// Returns whether writing fails with an Error that names the folder.
bool writing_is_refused(const FeatureTable& table, const std::filesystem::path& folder) {
  try {
    test::write_rows(table, 100, 2000);
    return false;
  } catch (const Error& refused) {
    return std::string(refused.what()).find(folder.string()) != std::string::npos;
  }
}

TEST(FullDisk, CostsTheTransactionInFlightAlone) {
  const TemporaryFolder folder;
  const auto fill_disk = [&] {
    const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
    const FeatureTable table = store.table(test::space_of(kWidth));
    test::write_rows(table, 0, 100);
    const rlim_t length = std::filesystem::file_size(folder / "data.mdb");
    return limit_files(length + length / 2) && writing_is_refused(table, folder.path()) &&
           writing_is_refused(table, folder.path()) && test::count_right_rows(table, 0, 2100) == 100 &&
           limit_files(RLIM_INFINITY) && (test::write_rows(table, 100, 2000), true) &&
           test::count_right_rows(table, 0, 2100) == 2100;
  };
  EXPECT_EQ(test::run_in_child(fill_disk), "exit 0");

  const FeatureStore store = FeatureStore::open(folder.path(), Access::write);
  EXPECT_EQ(test::count_right_rows(store.table(test::space_of(kWidth)), 0, 2100), 2100U);
  EXPECT_EQ(store.verify().damaged, 0U);
}

TEST(FullDisk, LeavesAStoreThatOpensAgain) {
  const TemporaryFolder folder;
  const auto fill_disk = [&] {
    const FeatureTable table = FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth));
    test::write_rows(table, 0, 100);
    return limit_files(std::filesystem::file_size(folder / "data.mdb")) &&
           writing_is_refused(table, folder.path());
  };
  EXPECT_EQ(test::run_in_child(fill_disk), "exit 0");

  const FeatureStore store = FeatureStore::open(folder.path(), Access::read);
  EXPECT_EQ(test::count_right_rows(store.table(test::space_of(kWidth)), 0, 2100), 100U);
  EXPECT_EQ(store.verify().damaged, 0U);
}

}  // namespace
}  // namespace molgauge::store
