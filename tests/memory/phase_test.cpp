#include "memory/phase.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "memory/host_memory.h"
#include "pages.h"

namespace headroom::memory {
namespace {

using test::kMebibyte;
using test::Pages;

/// A device whose memory the test sets.
struct FakeDevice {
  std::uint64_t allocated = 0, peak = 0;
  void set(std::uint64_t bytes) {
    allocated = bytes;
    peak = std::max(peak, bytes);
  }
};

class FakeProbe : public DeviceProbe {
 public:
  explicit FakeProbe(FakeDevice& device) : device_(device) {}
  std::uint64_t peak_bytes() override { return device_.peak; }
  void reset_peak() override { device_.peak = device_.allocated; }

 private:
  FakeDevice& device_;
};

/// Long enough for the sampler where the kernel's peak cannot be reset.
void hold(std::size_t bytes) {
  const Pages pages(bytes);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

TEST(Phase, SeesWhatWasFreedBeforeItsEndAndTheNextPhaseDoesNot) {
  PhaseRecorder recorder;
  const std::uint64_t before = resident_bytes();
  auto encoding = recorder.begin("encoding");
  hold(200 * kMebibyte);
  const PhaseReport first = encoding.end();
  auto train = recorder.begin("train");
  const PhaseReport second = train.end();
  EXPECT_GE(first.peak_host_memory_bytes, before + 195 * kMebibyte);
  EXPECT_LE(second.peak_host_memory_bytes, before + 20 * kMebibyte);
  EXPECT_EQ(first.peak_device_memory_bytes, 0U);
}

TEST(Phase, OuterPhaseKeepsItsPeakFromBeforeTheInnerOne) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer's shadow of what the outer phase held stays resident";
#endif
  PhaseRecorder recorder;
  const std::uint64_t before = resident_bytes();
  auto train = recorder.begin("train");
  hold(200 * kMebibyte);
  {
    auto evaluation = recorder.begin("eval");
    hold(50 * kMebibyte);
  }
  const PhaseReport outer = train.end();
  const PhaseReport inner = recorder.report("eval");
  EXPECT_GE(outer.peak_host_memory_bytes, before + 195 * kMebibyte);
  EXPECT_GE(inner.peak_host_memory_bytes, before + 45 * kMebibyte);
  EXPECT_LE(inner.peak_host_memory_bytes, before + 80 * kMebibyte);
  EXPECT_GE(outer.seconds, inner.seconds + 0.045);
}

TEST(Phase, OuterPhaseIncludesTheInnerOne) {
  FakeDevice device;
  PhaseRecorder recorder(std::make_unique<FakeProbe>(device));
  auto train = recorder.begin("train");
  device.set(10);
  auto evaluation = recorder.begin("eval");
  device.set(70);
  device.set(30);
  EXPECT_EQ(evaluation.end().peak_device_memory_bytes, 70U);
  device.set(50);
  EXPECT_EQ(train.end().peak_device_memory_bytes, 70U);
}

TEST(Phase, DevicePeakStartsAtWhatIsAllocated) {
  FakeDevice device;
  PhaseRecorder recorder(std::make_unique<FakeProbe>(device));
  device.set(90);
  device.set(20);
  EXPECT_EQ(recorder.begin("train").end().peak_device_memory_bytes, 20U);
}

TEST(Phase, OneNameIsOneReport) {
  FakeDevice device;
  PhaseRecorder recorder(std::make_unique<FakeProbe>(device));
  double seconds = 0;
  for (const std::uint64_t bytes : {40U, 60U, 20U}) {
    auto evaluation = recorder.begin("eval");
    device.set(bytes);
    device.set(0);
    seconds += evaluation.end().seconds;
  }
  ASSERT_EQ(recorder.reports().size(), 1U);
  EXPECT_EQ(recorder.reports()[0].phase, "eval");
  EXPECT_EQ(recorder.reports()[0].peak_device_memory_bytes, 60U);
  EXPECT_DOUBLE_EQ(recorder.reports()[0].seconds, seconds);
}

TEST(Phase, EndsWithItsScopeEvenWhenWorkThrows) {
  PhaseRecorder recorder;
  try {
    const auto phase = recorder.begin("train");
    throw std::runtime_error("out of memory");
  } catch (const std::runtime_error&) {
  }
  ASSERT_EQ(recorder.reports().size(), 1U);
  EXPECT_GT(recorder.report("train").peak_host_memory_bytes, 0U);
}

TEST(Phase, AReportThatIsNotThereIsZero) {
  const PhaseRecorder recorder;
  EXPECT_EQ(recorder.report("eval").phase, "eval");
  EXPECT_EQ(recorder.report("eval").seconds, 0.0);
}

TEST(Phase, CountsMemoryOfOtherThreads) {
  PhaseRecorder recorder;
  const std::uint64_t before = resident_bytes();
  auto phase = recorder.begin("encoding");
  std::thread(hold, 100 * kMebibyte).join();
  EXPECT_GE(phase.end().peak_host_memory_bytes, before + 95 * kMebibyte);
}

}  // namespace
}  // namespace headroom::memory
