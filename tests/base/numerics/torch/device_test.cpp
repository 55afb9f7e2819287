#include "base/numerics/torch/device.h"

#include <cstdlib>
#include <string>

#include <ATen/Context.h>
#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_gpu(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Device, IsTheFirstGpuUnlessNumbered) {
  if (gpu_count() == 0) {
    EXPECT_THROW(parse_gpu("cuda"), Error);
    EXPECT_THROW(parse_gpu("cuda:0"), Error);
  } else {
    EXPECT_EQ(parse_gpu("cuda"), c10::Device(c10::kCUDA, 0));
    EXPECT_EQ(parse_gpu("cuda:0"), c10::Device(c10::kCUDA, 0));
  }
}

TEST(Device, RefusesWhatIsNoGpu) {
  EXPECT_THAT(refusal("cpu"), HasSubstr("--device cpu: a GPU is cuda or cuda:N"));
  EXPECT_THAT(refusal("auto"), HasSubstr("a GPU is cuda or cuda:N"));
  EXPECT_THAT(refusal("gpu"), HasSubstr("a GPU is cuda or cuda:N"));
  EXPECT_THAT(refusal("cuda0"), HasSubstr("a GPU is cuda or cuda:N"));
  EXPECT_THAT(refusal(""), HasSubstr("a GPU is cuda or cuda:N"));
}

TEST(Device, RefusesWhatIsNoNumberOfAGpu) {
  EXPECT_THAT(refusal("cuda:"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal("cuda:1x"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal("cuda:-1"), HasSubstr("as in cuda:0"));
  EXPECT_THAT(refusal("cuda:99999999999"), HasSubstr("as in cuda:0"));
}

TEST(Device, SaysThatAGpuIsAbsent) {
  try {
    parse_gpu("cuda:250");
    FAIL() << "a GPU that cannot exist was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("--device cpu"));
  }
}

TEST(Device, IsNamedToLibTorch) {
  EXPECT_EQ(to_c10(molgauge::Device{}), c10::Device(c10::kCPU));
  EXPECT_EQ(to_c10(molgauge::Device{.gpu = 0}), c10::Device(c10::kCUDA, 0));
  EXPECT_EQ(to_c10(molgauge::Device{.gpu = 3}), c10::Device(c10::kCUDA, 3));
}

TEST(Device, TheCpuIsNoGpu) {
  EXPECT_FALSE(multiplies_bf16(c10::kCPU));
  EXPECT_NO_THROW(start_device(c10::kCPU));
}

TEST(Device, HasAnIndex) {
  EXPECT_EQ(indexed(c10::kCPU), c10::Device(c10::kCPU));
  EXPECT_EQ(indexed(c10::Device(c10::kCUDA, 1)), c10::Device(c10::kCUDA, 1));
  EXPECT_EQ(indexed(c10::kCUDA), c10::Device(c10::kCUDA, 0))
      << "the current GPU, which is the first one here";
}

TEST(DeterministicSums, OfAGpuFillsNoEmptyTensors) {
  const bool former = fills_empty_tensors();
  {
    const DeterministicSums outer(c10::Device(c10::kCUDA, 0));
    const DeterministicSums inner(c10::Device(c10::kCUDA, 0));
    EXPECT_TRUE(at::globalContext().deterministicAlgorithms());
    EXPECT_FALSE(fills_empty_tensors());
  }
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
  EXPECT_EQ(fills_empty_tensors(), former);
}

TEST(Device, LeavesTheEnvironmentAsItIs) {
  constexpr const char* kVariable = "CUBLAS_WORKSPACE_CONFIG";
  unsetenv(kVariable);  // NOLINT(concurrency-mt-unsafe)
  gpu_count();
  const DeterministicSums sums(c10::Device(c10::kCUDA, 0));
  EXPECT_EQ(std::getenv(kVariable), nullptr);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace
}  // namespace molgauge::torch
