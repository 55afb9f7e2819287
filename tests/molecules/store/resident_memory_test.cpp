#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "molecules/store/features/feature_store.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;

/// KiB of files that are resident in this process.
std::size_t resident_file_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key; status.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kib = 0;
    if (key == "RssFile:" && status >> kib) {
      return kib;
    }
  }
  return 0;
}

// The store has 80 MB of rows.
TEST(ResidentMemory, DoesNotGrowWithWhatIsReadOrWritten) {
  constexpr std::size_t kRows = 20000, kAtOnce = 500, kWidth = 512, kRoomKib = 30 * 1024;
  const TemporaryFolder folder;
  const FeatureTable table = FeatureStore::open(folder.path(), Access::write).table(test::space_of(kWidth));
  const std::size_t before = resident_file_kib();
  ASSERT_GT(before, 0U);
  std::size_t highest = before;
  for (std::size_t first = 0; first < kRows; first += kAtOnce) {
    test::write_rows(table, first, kAtOnce);
    highest = std::max(highest, resident_file_kib());
  }
  for (std::size_t first = 0; first < kRows; first += kAtOnce) {
    ASSERT_EQ(test::count_right_rows(table, first, kAtOnce), kAtOnce);
    highest = std::max(highest, resident_file_kib());
  }
  EXPECT_LT(highest - before, kRoomKib);
}

}  // namespace
}  // namespace molgauge::store
