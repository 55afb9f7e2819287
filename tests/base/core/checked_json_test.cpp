#include "base/core/json/checked_json.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace molgauge {
namespace {

using nlohmann::json;

TEST(CheckedJson, TakesWholeNumbersThatFit) {
  EXPECT_EQ(checked<std::uint64_t>(json::parse("18446744073709551615")), UINT64_MAX);
  EXPECT_EQ(checked<std::int64_t>(json::parse("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(checked<int>(json::parse("-5")), -5);
  EXPECT_EQ(checked<std::size_t>(json::parse("512.0")), 512U);
  EXPECT_EQ(checked<int>(json::parse("-2147483648.0")), INT32_MIN);
}

TEST(CheckedJson, RefusesThoseThatDoNot) {
  for (const char* text :
       {"1e119", "-1", "-1.0", "0.5", "18446744073709551616", "true", "\"1\"", "null", "[1]"}) {
    EXPECT_THROW(checked<std::uint64_t>(json::parse(text)), json::exception) << text;
  }
  EXPECT_THROW(checked<int>(json::parse("2147483648")), json::exception);
  EXPECT_THROW(checked<int>(json::parse("2147483648.0")), json::exception);
}

TEST(CheckedJson, LeavesOtherTypesToTheLibrary) {
  EXPECT_EQ(checked<double>(json::parse("1e119")), 1e119);
  EXPECT_EQ(checked<std::string>(json::parse("\"a\"")), "a");
  EXPECT_THROW(checked<bool>(json::parse("1")), json::exception);
}

TEST(CheckedJson, KnowsWhatIsMissing) {
  const json fields = json::parse(R"({"a": 3, "b": 1e300})");
  EXPECT_EQ(checked_or(fields, "a", std::size_t{7}), 3U);
  EXPECT_EQ(checked_or(fields, "c", std::size_t{7}), 7U);
  EXPECT_THROW(checked_or(fields, "b", std::size_t{7}), json::exception);
  int value = 0;
  get_checked(fields.at("a"), value);
  EXPECT_EQ(value, 3);
}

}  // namespace
}  // namespace molgauge
