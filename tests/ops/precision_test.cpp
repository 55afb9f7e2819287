#include "ops/precision.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace headroom::ops {
namespace {

TEST(Precision, NamesAreReadBack) {
  for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  }
  EXPECT_THROW(parse_precision("fp64"), UsageError);
}

TEST(Precision, FastIsNoneThatIsSlower) {
  double fp32 = 0, fast = 0;
  for (const auto& [precision, seconds] : precision_times()) {
    EXPECT_GT(seconds, 0.0);
    fp32 = precision == Precision::fp32 ? seconds : fp32;
    fast = precision == fastest_precision() ? seconds : fast;
  }
  EXPECT_LE(fast, fp32);
  EXPECT_EQ(parse_precision("fast"), fastest_precision());
}

}  // namespace
}  // namespace headroom::ops
