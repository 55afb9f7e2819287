#include "base/numerics/ops/precision.h"

#include <gmock/gmock.h>

#include "base/core/error.h"

namespace molgauge::ops {
namespace {

constexpr std::int64_t kWidth = 336;

TEST(Precision, NamesAreReadBack) {
  for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  }
}

TEST(Precision, RefusesWhatIsNone) {
  for (const char* const text : {"fp64", "", "FP32", "fp32 "}) {
    try {
      parse_precision(text);
      FAIL() << '"' << text << "\" was accepted";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("Available: fp32, bf16, int8 and fast"));
    }
  }
}

TEST(Precision, FastIsNoneThatIsSlower) {
  double fp32 = 0, fast = 0;
  for (const auto& [precision, seconds] : precision_times(kWidth)) {
    EXPECT_GT(seconds, 0.0);
    fp32 = precision == Precision::fp32 ? seconds : fp32;
    fast = precision == fastest_precision(kWidth) ? seconds : fast;
  }
  EXPECT_GT(fast, 0.0);
  EXPECT_LE(fast, fp32);
}

TEST(Precision, FastIsTheSameAgain) {
  const Precision first = fastest_precision(kWidth);
  EXPECT_EQ(fastest_precision(kWidth), first);
}

}  // namespace
}  // namespace molgauge::ops
