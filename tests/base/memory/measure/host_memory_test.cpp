#include "base/memory/measure/host_memory.h"

#include <gtest/gtest.h>

#include "pages.h"

namespace molgauge::memory {
namespace {

using test::kMebibyte;
using test::Pages;

TEST(HostMemory, ResidentMemoryFollowsWhatIsTouchedAndFreed) {
  const std::uint64_t before = resident_bytes();
  {
    const Pages pages(100 * kMebibyte);
    EXPECT_GE(resident_bytes(), before + 95 * kMebibyte);
  }
  EXPECT_LE(resident_bytes(), before + 5 * kMebibyte);
}

TEST(HostMemory, PeakOutlivesWhatCausedIt) {
  const std::uint64_t before = resident_bytes();
  { const Pages pages(100 * kMebibyte); }
  EXPECT_GE(peak_resident_bytes(), before + 95 * kMebibyte);
}

TEST(HostMemory, PeakStartsAnewAfterReset) {
  { const Pages pages(100 * kMebibyte); }
  if (!reset_peak_resident()) {
    GTEST_SKIP() << "the peak cannot be reset here";
  }
  EXPECT_LE(peak_resident_bytes(), resident_bytes() + 5 * kMebibyte);
}

}  // namespace
}  // namespace molgauge::memory
