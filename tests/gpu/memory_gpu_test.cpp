// Tests probes, budgets and out-of-memory errors on a GPU.

#include <ATen/ATen.h>

#include "base/memory/measure/phase.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/device_events.h"
#include "base/numerics/torch/device_memory.h"
#include "gpu.h"

namespace molgauge::torch {
namespace {

using test::kGpu;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

at::Tensor gpu_bytes(std::uint64_t bytes) {
  return at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions(at::kByte).device(kGpu));
}

class GpuMemory : public testing::Test {
 protected:
  void SetUp() override {
    REQUIRE_GPU();
    probe_ = device_probe(kGpu);
    allocator_access(kGpu).release_cached();
    probe_->reset_peak();
  }
  std::unique_ptr<memory::DeviceProbe> probe_;
};

TEST_F(GpuMemory, ProbesSayWhatTensorsTake) {
  const std::uint64_t driver_free = probe_->space().free;
  memory::PhaseRecorder phases(device_probe(kGpu));
  auto phase = phases.begin("phase");
  const std::uint64_t before = probe_->read().peak_allocated;
  {
    const at::Tensor large = gpu_bytes(300 * kMebibyte);
    EXPECT_GE(driver_free - probe_->space().free, 300 * kMebibyte);
  }
  const PhaseReport report = phase.end();
  EXPECT_EQ(report.peak_device_memory_bytes - before, 300 * kMebibyte);
  EXPECT_GE(report.peak_device_active_bytes, report.peak_device_memory_bytes);
  EXPECT_GE(report.peak_device_reserved_bytes, report.peak_device_memory_bytes);
  EXPECT_GT(report.device_free_bytes, 0U);
  EXPECT_GE(probe_->read().reserved, 300 * kMebibyte) << "kept for later";
  allocator_access(kGpu).release_cached();
  EXPECT_LT(probe_->read().reserved, 300 * kMebibyte);
}

TEST_F(GpuMemory, AMeterCountsTensorsWhileTheyLive) {
  memory::AllocationMeter* const meter = device_tensor_memory(kGpu);
  if (meter == nullptr) {
    GTEST_SKIP() << "this LibTorch does not report its allocations (before 2.3)";
  }
  const std::uint64_t before = meter->allocated_bytes();
  {
    const at::Tensor tensor = gpu_bytes(1000);
    EXPECT_EQ(meter->allocated_bytes() - before, 1000U) << "the requested bytes, not the rounded ones";
  }
  EXPECT_EQ(meter->allocated_bytes(), before);
}

TEST_F(GpuMemory, WhatExceedsTheBudgetIsRefused) {
  const std::uint64_t reserved = probe_->read().reserved, refusals = probe_->read().refusals;
  limit_device_memory(kGpu, reserved + 100 * kMebibyte);
  try {
    gpu_bytes(200 * kMebibyte);
    FAIL() << "200 MiB within a budget of 100 MiB";
  } catch (const c10::Error&) {
    EXPECT_TRUE(is_out_of_memory(std::current_exception()));
  }
  EXPECT_EQ(probe_->read().refusals, refusals + 1);
  EXPECT_LE(probe_->read().peak_reserved, reserved + 100 * kMebibyte);
  EXPECT_EQ(gpu_bytes(50 * kMebibyte).numel(), static_cast<std::int64_t>(50 * kMebibyte));
  if (const memory::AllocationMeter* meter = device_tensor_memory(kGpu)) {
    EXPECT_EQ(meter->last_refusal().bytes, 200 * kMebibyte);
  }
  limit_device_memory(kGpu, device_space(kGpu).total);
}

TEST_F(GpuMemory, CachedMemoryGoesBackBeforeARequestIsRefused) {
  const std::uint64_t reserved = probe_->read().reserved, retries = probe_->read().retries;
  limit_device_memory(kGpu, reserved + 100 * kMebibyte);
  gpu_bytes(60 * kMebibyte);  // freed at once, and kept in the cache
  EXPECT_EQ(gpu_bytes(80 * kMebibyte).numel(), static_cast<std::int64_t>(80 * kMebibyte));
  EXPECT_EQ(probe_->read().retries, retries + 1);
  limit_device_memory(kGpu, device_space(kGpu).total);
}

}  // namespace
}  // namespace molgauge::torch
