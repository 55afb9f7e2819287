#include "base/numerics/torch/precision.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/numerics/torch/autocast.h"
#include "gpu.h"

namespace molgauge::torch {
namespace {

using ops::Precision;

TEST(Precision, OnAGpuThereIsNoInt8) {
  EXPECT_EQ(parse_precision("fp32"), Precision::fp32);
  EXPECT_EQ(parse_precision("bf16"), Precision::bf16);
  EXPECT_THROW(parse_precision("fp64"), UsageError);
  try {
    parse_precision("int8");
    FAIL() << "int8 on a GPU was accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("fp32, tf32, bf16, fp16 and fast"));
  }
}

TEST(Precision, Tf32LastsAsLongAsItsObjects) {
  EXPECT_EQ(parse_precision("tf32"), Precision::tf32);
  EXPECT_THROW(ops::parse_precision("tf32"), UsageError);
  const auto is_used = [] {
    return at::globalContext().allowTF32CuBLAS() && !at::NoTF32Guard::should_disable_tf32();
  };
  EXPECT_FALSE(is_used());
  {
    const Tf32Products allowed(true);
    EXPECT_TRUE(is_used());
    {
      const Tf32Products again(true), refused(false);
      EXPECT_FALSE(is_used());
    }
    EXPECT_TRUE(is_used());
  }
  EXPECT_FALSE(is_used());
}

TEST(Precision, FastIsFloat32WhereThereAreNoUnitsForBfloat16) {
  EXPECT_EQ(fastest_precision(c10::kCPU), Precision::fp32);
}

TEST(PrecisionOnGpu, FastIsBfloat16WhereThereAreUnitsForIt) {
  REQUIRE_GPU();
  EXPECT_EQ(fastest_precision(test::kGpu), multiplies_bf16(test::kGpu) ? Precision::bf16 : Precision::fp32);
}

}  // namespace
}  // namespace molgauge::torch
