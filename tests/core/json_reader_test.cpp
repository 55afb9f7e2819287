#include "core/json_reader.h"

#include <string>

#include <gtest/gtest.h>

namespace headroom {
namespace {

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) {
    text += open;
  }
  text += "1";
  for (std::size_t i = 0; i < depth; ++i) {
    text += close;
  }
  return text;
}

TEST(JsonReader, RefusesWhatIsNestedTooDeepBeforeItIsParsed) {
  for (const auto& [open, close] : {std::pair{"[", "]"}, {"{\"a\":", "}"}, {"[{\"\\\"[\":", "}]"}}) {
    const std::size_t levels = std::string(open).starts_with("[{") ? 2 : 1;
    EXPECT_NO_THROW(parse_json(nested(kDeepestJson / levels, open, close)));
    EXPECT_THROW(parse_json(nested(kDeepestJson / levels + 1, open, close)), nlohmann::json::parse_error);
    EXPECT_THROW(parse_json(nested(1'000'000, open, "")), nlohmann::json::parse_error);
    EXPECT_TRUE(parse_json_or_nothing(nested(1'000'000, open, close)).is_discarded());
  }
}

TEST(JsonReader, BracketsInTextsAreNoNesting) {
  const std::string brackets(10'000, '[');
  EXPECT_EQ(parse_json("[\"" + brackets + "\"]").at(0), brackets);
  EXPECT_EQ(parse_json("{\"" + brackets + "\\\\\": \"\\\"{\"}").size(), 1U);
}

TEST(JsonReader, ManyValuesSideBySideAreNoNesting) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) {
    text += "[],{},";
  }
  EXPECT_EQ(parse_json(text + "0]").size(), 2001U);
}

TEST(JsonReader, TextsThatEndInTheMiddleAreLeftToTheParser) {
  for (const char* text : {"", "\"", "\"\\", "[\"a", "]", "}}}}"}) {
    EXPECT_TRUE(is_shallow_json(text)) << text;
    EXPECT_THROW(parse_json(text), nlohmann::json::parse_error) << text;
    EXPECT_TRUE(parse_json_or_nothing(text).is_discarded()) << text;
  }
}

}  // namespace
}  // namespace headroom
