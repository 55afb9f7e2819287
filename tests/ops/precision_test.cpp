#include "ops/precision.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace headroom::ops {
namespace {

TEST(Precision, NamesAreReadBack) {
  for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
    EXPECT_EQ(parse_precision(to_string(precision), c10::kCPU), precision);
  }
  EXPECT_THROW(parse_precision("fp64", c10::kCPU), UsageError);
}

TEST(Precision, FastIsNoneThatIsSlower) {
  double fp32 = 0, fast = 0;
  for (const auto& [precision, seconds] : precision_times()) {
    EXPECT_GT(seconds, 0.0);
    fp32 = precision == Precision::fp32 ? seconds : fp32;
    fast = precision == fastest_precision(c10::kCPU) ? seconds : fast;
  }
  EXPECT_LE(fast, fp32);
  EXPECT_EQ(parse_precision("fast", c10::kCPU), fastest_precision(c10::kCPU));
}

TEST(Precision, OnAGpuThereIsNoInt8) {
  const c10::Device gpu(c10::kCUDA, 0);
  EXPECT_EQ(parse_precision("bf16", gpu), Precision::bf16);
  try {
    parse_precision("int8", gpu);
    FAIL() << "int8 on a GPU was accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("fp32, bf16 and fast"));
  }
}

}  // namespace
}  // namespace headroom::ops
