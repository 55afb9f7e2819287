// Records the CUDA allocator and replays the recording in the simulator under the same settings.

#include <algorithm>
#include <random>

#include <ATen/ATen.h>

#include "base/core/files/atomic_file.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/device_allocator.h"
#include "base/numerics/torch/device_memory.h"
#include "base/numerics/torch/device_trace.h"
#include "byte_text.h"
#include "gpu.h"
#include "memgauge/recordings/replay.h"
#include "memgauge/recordings/trace_reader.h"
#include "support/fixtures.h"

namespace molgauge::torch {
namespace {

using test::kGpu;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Allocates and frees tensors of all sizes up to `largest` bytes. Stops if memory runs out.
void churn(std::uint64_t largest, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<at::Tensor> living;
  try {
    for (int step = 0; step < 3000; ++step) {
      if (living.size() > 40 || (random() % 3 == 0 && !living.empty())) {
        std::swap(living[random() % living.size()], living.back());
        living.pop_back();
      } else {
        const auto bytes = static_cast<std::int64_t>(1 + (random() % largest >> random() % 16));
        living.push_back(at::empty({bytes}, at::TensorOptions(at::kByte).device(kGpu)));
      }
    }
  } catch (const c10::Error&) {
    ASSERT_TRUE(is_out_of_memory(std::current_exception()));
  }
}

class GpuTrace : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    REQUIRE_GPU();
    probe_ = device_probe(kGpu);
    allocator_access(kGpu).release_cached();
    if (probe_->read().reserved > 0) {
      GTEST_SKIP() << "tensors of other tests are on the GPU; run this test by itself";
    }
    set_device_allocator(GetParam(), kGpu);
    probe_->reset_peak();
  }
  void TearDown() override {
    if (gpu_count() > 0) {
      limit_device_memory(kGpu, device_space(kGpu).total);
      allocator_access(kGpu).release_cached();
      set_device_allocator("expandable_segments:False", kGpu);
    }
  }

  allocator::Recording record(std::uint64_t largest, std::uint64_t capacity) {
    const auto path = folder_ / "gpu.trace";
    {
      allocator::AllocationTrace trace(path, {0, capacity, GetParam()});
      const DeviceTrace recording(kGpu, trace);
      churn(largest, 1);
    }
    const std::string text = read_file(path);
    allocator::test::TextSource source(text);
    return allocator::read_trace(source, path.string());
  }

  molgauge::test::TemporaryFolder folder_;
  std::unique_ptr<memory::DeviceProbe> probe_;
};

TEST_P(GpuTrace, IsReplayedToTheBytesThatWereReserved) {
  const allocator::Recording recording = record(64 * kMebibyte, 0);
  allocator::ReplayOptions options;
  options.settings = allocator::parse_allocator_settings(GetParam());
  const allocator::AllocatorStatistics simulated = replay(recording, options).statistics;
  const memory::DeviceMemory measured = probe_->read();
  EXPECT_GT(recording.allocations, 1000U);
  if (options.settings.roundup_divisions.front() > 0) {
    // With this setting, many free blocks have equal sizes. The allocator then takes the block with the
    // lowest address, but the trace does not contain the addresses of segments.
    const auto expect_near = [](std::uint64_t one, std::uint64_t other) {
      EXPECT_NEAR(static_cast<double>(one), static_cast<double>(other), 0.01 * static_cast<double>(other));
    };
    expect_near(simulated.reserved.peak, measured.peak_reserved);
    expect_near(simulated.reserved.now, measured.reserved);
    expect_near(simulated.allocated.peak, measured.peak_allocated);
    expect_near(simulated.active.peak, measured.peak_active);
    return;
  }
  EXPECT_EQ(simulated.reserved.peak, measured.peak_reserved);
  EXPECT_EQ(simulated.reserved.now, measured.reserved);
  EXPECT_EQ(simulated.allocated.peak, measured.peak_allocated);
  EXPECT_EQ(simulated.active.peak, measured.peak_active);
}

TEST_P(GpuTrace, RunsOutWhereTheProgramDid) {
  // LibTorch limits memory to a rounded fraction of the card. The capacity is therefore not a multiple of any
  // segment size.
  constexpr std::uint64_t kCapacity = 1025 * kMebibyte;
  limit_device_memory(kGpu, kCapacity);
  const allocator::Recording recording = record(512 * kMebibyte, kCapacity);
  const auto is_refusal = [](const auto& event) { return event.kind == allocator::EventKind::out_of_memory; };
  ASSERT_TRUE(std::any_of(recording.events.begin(), recording.events.end(), is_refusal));
  allocator::ReplayOptions options;
  options.settings = allocator::parse_allocator_settings(GetParam());
  options.settings.memory_fraction = 1;  // the whole simulated card, which has this capacity
  options.capacity = kCapacity;
  const auto result = replay(recording, options);
  ASSERT_TRUE(result.run_out.has_value());
  EXPECT_TRUE(is_refusal(recording.events[result.run_out->event]));
}

INSTANTIATE_TEST_SUITE_P(Settings, GpuTrace,
                         testing::Values("max_split_size_mb:20000", "expandable_segments:True",
                                         "max_split_size_mb:32", "roundup_power2_divisions:4"));

}  // namespace
}  // namespace molgauge::torch
