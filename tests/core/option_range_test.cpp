#include "core/option_range.h"

#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view option, auto value) {
  try {
    require_in_range(option, value);
  } catch (const UsageError& problem) {
    return problem.what();
  }
  return "";
}

TEST(OptionRange, WholeNumbersToTheLastBit) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(refusal("seed", most), "");
  EXPECT_EQ(refusal("batch-size", std::uint64_t{1}), "");
  EXPECT_EQ(refusal("batch-size", most),
            "batch-size: 18446744073709551615 is refused; it takes a whole number from 1 to 10000000");
  EXPECT_THAT(refusal("batch-size", std::uint64_t{0}), HasSubstr("from 1 to"));
  EXPECT_THAT(refusal("batch-atoms", std::uint64_t{1} << 62U), HasSubstr("batch-atoms"));
}

TEST(OptionRange, EndsOfRealNumbers) {
  EXPECT_EQ(refusal("dropout", 0.0), "");
  EXPECT_THAT(refusal("dropout", 1.0), HasSubstr("not below 0 and below 1"));
  EXPECT_THAT(refusal("lr", 0.0), HasSubstr("above 0"));
  EXPECT_EQ(refusal("lr", 1e-30), "");
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), 1e300, -1.0}) {
    for (const char* const option : {"lr", "dropout", "weight-decay", "hinge-topk", "odin-noise"}) {
      EXPECT_NE(refusal(option, wrong), "") << option << " " << wrong;
    }
  }
}

TEST(OptionRange, EveryOneIsSaidAndNamedOnce) {
  std::set<std::string_view> names;
  for (const NumericRange& range : option_ranges()) {
    EXPECT_TRUE(names.insert(range.name).second) << range.name;
    EXPECT_FALSE(range.words().empty());
    EXPECT_THAT(range.interval(), HasSubstr(".."));
  }
  EXPECT_EQ(option_range("batch-size")->interval(), "[1..10000000]");
  EXPECT_EQ(option_range("dropout")->interval(), "[0..1)");
  EXPECT_FALSE(option_range("loss").has_value());
}

}  // namespace
}  // namespace headroom
