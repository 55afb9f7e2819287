#include "base/memory/measure/phase.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "base/memory/measure/host_memory.h"
#include "pages.h"

namespace molgauge::memory {
namespace {

using test::kMebibyte;
using test::Pages;

/// A device whose memory use is set by the test.
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
  DeviceMemory read() override {
    DeviceMemory memory;
    memory.peak_allocated = device_.peak;
    return memory;
  }
  DeviceSpace space() override { return {.free = 1000 - device_.allocated, .total = 1000}; }
  void reset_peak() override { device_.peak = device_.allocated; }

 private:
  FakeDevice& device_;
};

/// Holds the memory until the sampler has seen it, because on some systems the peak counter of the kernel
/// cannot be reset.
void hold(std::size_t bytes) {
  const Pages pages(bytes);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

TEST(Phase, LeavesNoPeakOfADeviceBehind) {
  FakeDevice device;
  PhaseRecorder recorder(std::make_unique<FakeProbe>(device));
  device.allocated = 100;
  Phase phase = recorder.begin("encode");
  device.peak = 700;
  EXPECT_EQ(phase.end().peak_device_memory_bytes, 700U);
  EXPECT_EQ(device.peak, 100U) << "a later reader sees its own peak";
  Phase outer = recorder.begin("train");
  {
    Phase step = recorder.begin_step("forward");
    device.peak = 900;
  }
  device.peak = 300;
  EXPECT_EQ(outer.end().peak_device_memory_bytes, 900U) << "an enclosing phase keeps the peak of its steps";
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
  GTEST_SKIP() << "the ThreadSanitizer shadow of the memory of the outer phase stays resident";
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

TEST(Phase, MeasuresTensorsAndCountsRefusals) {
  AllocationMeter tensors;
  PhaseRecorder recorder(nullptr, &tensors);
  ASSERT_TRUE(tensors.admit(100));
  auto encoding = recorder.begin("encoding");
  ASSERT_TRUE(tensors.admit(50));
  tensors.freed(0, 50);
  const AllocationLimit limit(tensors, 120);
  ASSERT_FALSE(tensors.admit(50));
  const PhaseReport figures = encoding.end();
  EXPECT_EQ(figures.peak_tensor_memory_bytes, 150U);
  EXPECT_EQ(figures.refused_tensors, 1U);
  EXPECT_EQ(recorder.begin("eval").end().refused_tensors, 0U);
}

TEST(Phase, StepsMeasureTensorsAndLeaveTheirPhaseItsPeaks) {
  AllocationMeter tensors;
  FakeDevice device;
  PhaseRecorder recorder(std::make_unique<FakeProbe>(device), &tensors);
  auto train = recorder.begin("train");
  for (const std::uint64_t bytes : {30U, 70U}) {
    auto forward = recorder.begin_step("forward");
    ASSERT_TRUE(tensors.admit(bytes));
    device.set(2 * bytes);
    tensors.freed(0, bytes);
    device.set(0);
  }
  auto backward = recorder.begin_step("backward");
  EXPECT_EQ(recorder.current(), "train / backward");
  EXPECT_EQ(backward.end().peak_tensor_memory_bytes, 0U);
  const PhaseReport outer = train.end();
  const PhaseReport forward = recorder.report("train / forward");
  EXPECT_EQ(forward.peak_tensor_memory_bytes, 70U);
  EXPECT_EQ(forward.peak_device_memory_bytes, 140U);
  EXPECT_EQ(forward.peak_host_memory_bytes, 0U);
  EXPECT_EQ(outer.peak_tensor_memory_bytes, 70U);
  EXPECT_EQ(outer.device_free_bytes, 1000U);
  EXPECT_GT(outer.peak_host_memory_bytes, 0U);
}

class PhaseNames : public PhaseObserver {
 public:
  void began(std::string_view name) override { (text += name) += '('; }
  void ended() override { text += ')'; }
  std::string text;
};

TEST(Phase, TellsAnObserverOfPhasesStepsAndMarks) {
  PhaseNames names;
  PhaseRecorder recorder;
  recorder.observe(&names);
  {
    const auto train = recorder.begin("train");
    const PhaseMark epoch(&recorder, "epoch 1");
    const auto forward = recorder.begin_step("forward");
  }
  EXPECT_EQ(names.text, "train(epoch 1(forward()))");
  EXPECT_EQ(recorder.reports().size(), 2U);
}

TEST(Phase, StepsAndMarksAreNothingWhereNobodyRecords) {
  EXPECT_EQ(begin_step(nullptr, "forward"), nullptr);
  const PhaseMark epoch(nullptr, "epoch 1");
  PhaseRecorder recorder;
  begin_step(&recorder, "forward").reset();
  EXPECT_EQ(recorder.reports().front().phase, "forward");
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
}  // namespace molgauge::memory
