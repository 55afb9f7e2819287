#include "base/memory/measure/host_peak.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "base/memory/measure/host_memory.h"
#include "pages.h"

namespace molgauge::memory {
namespace {

using test::kMebibyte;
using test::Pages;

TEST(HostPeak, SamplingSeesAPeakThatLastsAndForgetsItOnReset) {
  HostPeak peak(HostPeak::Method::sampling);
  const std::uint64_t before = resident_bytes();
  {
    const Pages pages(100 * kMebibyte);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_GE(peak.bytes(), before + 95 * kMebibyte);
  peak.reset();
  EXPECT_LE(peak.bytes(), before + 10 * kMebibyte);
}

TEST(HostPeak, KernelMissesNothing) {
  HostPeak peak;
  if (peak.method() != HostPeak::Method::kernel) {
    GTEST_SKIP() << "the peak cannot be reset here";
  }
  const std::uint64_t before = resident_bytes();
  { const Pages pages(100 * kMebibyte); }
  EXPECT_GE(peak.bytes(), before + 95 * kMebibyte);
  peak.reset();
  EXPECT_LE(peak.bytes(), before + 10 * kMebibyte);
}

TEST(HostPeak, NeverBelowWhatIsResident) {
  for (const auto method : {HostPeak::Method::kernel, HostPeak::Method::sampling}) {
    HostPeak peak(method);
    EXPECT_GE(peak.bytes() + kMebibyte, resident_bytes());
  }
}

}  // namespace
}  // namespace molgauge::memory
