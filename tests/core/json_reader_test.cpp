#include "core/json_reader.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checked_json.h"

namespace headroom {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

/// What is said of text that `use` cannot read.
std::string problem_of(const std::string& text, const std::function<void(const json&)>& use = {}) {
  try {
    const json content = parse_json(text);
    if (use) {
      use(content);
    }
  } catch (const json::exception& failure) {
    return json_problem(failure);
  }
  return "";
}

TEST(JsonProblem, SaysWhereTextIsNoJsonAndWhatIsExpected) {
  EXPECT_EQ(problem_of("smiles,y\nCCO,1\n"),
            "is no JSON: a value, such as {...}, [...], a number or a text in double quotes, is expected at "
            "byte 1");
  EXPECT_EQ(problem_of(""), "is no JSON: it is empty");
  EXPECT_EQ(problem_of("{\"a\": 1"), "is no whole JSON: it breaks off at byte 7");
  EXPECT_EQ(problem_of("{\"a\": 1} x"), "is no JSON: something follows after its end, at byte 10");
  EXPECT_EQ(problem_of("{a: 1}"), "is no JSON: a name in double quotes or '}' is expected at byte 2");
  EXPECT_EQ(problem_of("{\"a\" 1}"), "is no JSON: ':' is expected at byte 6");
  EXPECT_EQ(problem_of("[1 2]"), "is no JSON: ',' or ']' is expected at byte 4");
  EXPECT_THAT(problem_of("\"\xff\""), HasSubstr("no UTF-8"));
}

TEST(JsonProblem, SaysWhatIsBuiltOtherwise) {
  EXPECT_EQ(problem_of("{}", [](const json& fields) { fields.at("seed"); }), "the field 'seed' is missing");
  EXPECT_EQ(problem_of("[]", [](const json& list) { list.at(0); }), "a list in it is too short");
  EXPECT_EQ(problem_of("null", [](const json& text) { text.get<std::string>(); }),
            "a field is of the type null where string is expected");
  EXPECT_THAT(problem_of("[]", [](const json& list) { list.at("seed"); }), HasSubstr("object with fields"));
  EXPECT_THAT(problem_of("5.5", [](const json& number) { checked<int>(number); }),
              HasSubstr("a field is no whole number, or too large a one: 5.5"));
}

TEST(JsonProblem, NeverPassesTheLibrarysWordsOn) {
  for (const char* const text :
       {"", "x", "{", "[1,", "{\"a\":tru}", "1e999", "\"\\u12\"", "[\"\x01\"]", "-", "nul"}) {
    EXPECT_THAT(problem_of(text), AllOf(Not(HasSubstr("exception")), Not(HasSubstr("last read")))) << text;
  }
}

}  // namespace
}  // namespace headroom
