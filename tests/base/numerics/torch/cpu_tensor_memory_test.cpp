#include "base/numerics/torch/cpu_tensor_memory.h"

#include <new>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory/measure/tensor_memory.h"
#include "base/numerics/ops/array.h"
#include "base/numerics/torch/cuda_errors.h"

namespace molgauge::torch {
namespace {

TEST(CpuTensorMemory, CountsTensorsWhileTheyLive) {
  memory::AllocationMeter& meter = cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  {
    const at::Tensor tensor = at::zeros({1000, 256});
    EXPECT_EQ(meter.allocated_bytes() - before, 1000U * 256U * 4U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64, 0U);
  }
  EXPECT_EQ(meter.allocated_bytes(), before);
}

TEST(CpuTensorMemory, ThrowsWhatCudaThrowsWhenTheLimitIsReached) {
  memory::AllocationMeter& meter = cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  const memory::AllocationLimit limit(meter, before + (1U << 20U));
  try {
    const at::Tensor tensor = at::empty({1 << 20});
    FAIL() << "4 MiB within a limit of 1 MiB";
  } catch (const c10::OutOfMemoryError& error) {
    EXPECT_THAT(error.what_without_backtrace(), testing::HasSubstr("4.00 MiB more do not fit"));
    EXPECT_TRUE(is_out_of_memory(std::current_exception()));
  }
  EXPECT_EQ(meter.allocated_bytes(), before);
  EXPECT_EQ(at::ones({100}).sum().item<float>(), 100.0F);
}

TEST(CpuTensorMemory, CountsPlainArraysAndTensorsTogether) {
  memory::AllocationMeter& meter = cpu_tensor_memory();
  EXPECT_EQ(&meter, &memory::tensor_memory());
  const std::uint64_t before = meter.allocated_bytes();
  const at::Tensor tensor = at::zeros({256});
  const ops::Floats array{1000};
  EXPECT_EQ(meter.allocated_bytes() - before, 256U * 4U + 1000U * 4U);
  const memory::AllocationLimit limit(meter, meter.allocated_bytes() + 1000);
  EXPECT_THROW(ops::Floats{256}, memory::OutOfTensorMemory);
  EXPECT_THROW(at::empty({256}), c10::OutOfMemoryError);
}

TEST(CpuTensorMemory, ResizesWithinTheCount) {
  memory::AllocationMeter& meter = cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  {
    at::Tensor tensor = at::ones({8});
    tensor.resize_({1024});
    EXPECT_EQ(tensor[7].item<float>(), 1.0F);
    EXPECT_EQ(meter.allocated_bytes() - before, 4096U);
  }
  EXPECT_EQ(meter.allocated_bytes(), before);
}

TEST(CpuTensorMemory, TellsOutOfMemoryFromOtherFailures) {
  EXPECT_TRUE(is_out_of_memory(std::make_exception_ptr(std::bad_alloc())));
  EXPECT_TRUE(is_out_of_memory(std::make_exception_ptr(memory::OutOfTensorMemory("of a plain array"))));
  EXPECT_FALSE(is_out_of_memory(std::make_exception_ptr(std::runtime_error("out of luck"))));
  const auto of_libtorch = [](const char* text) {
    return std::make_exception_ptr(c10::Error({__func__, __FILE__, __LINE__}, text));
  };
  EXPECT_TRUE(is_out_of_memory(of_libtorch("CUDA error: out of memory\nCUDA kernel errors might be ...")));
  EXPECT_TRUE(is_out_of_memory(
      of_libtorch("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")));
  EXPECT_FALSE(is_out_of_memory(of_libtorch("CUDA error: an illegal memory access was encountered")));
}

#ifdef MOLGAUGE_WITH_CUDA
/// Errors of a GPU that lacks the memory to start a kernel or to load its module.
TEST(CpuTensorMemory, TellsThatAKernelsStartRanOutOfMemory) {
  constexpr int kMemoryAllocation = 2, kInvalidValue = 1;  // numbers of cudaError_t
  const auto failure_of = [](int code) {
    try {
      require_success(code);
    } catch (...) {
      return std::current_exception();
    }
    return std::exception_ptr();
  };
  EXPECT_EQ(failure_of(0), nullptr);
  ASSERT_NE(failure_of(kMemoryAllocation), nullptr);
  EXPECT_TRUE(is_out_of_memory(failure_of(kMemoryAllocation)));
  ASSERT_NE(failure_of(kInvalidValue), nullptr);
  EXPECT_FALSE(is_out_of_memory(failure_of(kInvalidValue)));
  EXPECT_THROW(std::rethrow_exception(failure_of(kInvalidValue)), c10::Error);
}
#endif

}  // namespace
}  // namespace molgauge::torch
