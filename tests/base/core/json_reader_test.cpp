#include "base/core/json/json_reader.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/json/checked_json.h"

namespace molgauge {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

/// Returns the message for a text that is invalid JSON or that `use` cannot read. Returns an empty text if
/// there is no error.
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

TEST(JsonProblem, SaysWhereTextIsInvalid) {
  EXPECT_THAT(problem_of("smiles,y\nCCO,1\n"), StartsWith("invalid JSON: parse error at line 1, column 1: "));
  EXPECT_THAT(problem_of(""), AllOf(StartsWith("invalid JSON: parse error at line 1, column 1: "),
                                    AnyOf(HasSubstr("unexpected end of input"), HasSubstr("empty input"))));
  EXPECT_THAT(problem_of("{\"a\":\n1"), StartsWith("invalid JSON: parse error at line 2, column 2: "));
  EXPECT_THAT(problem_of("{\"a\": 1} x"), HasSubstr("expected end of input"));
  EXPECT_THAT(problem_of("[1 2]"), HasSubstr("column 4"));
  EXPECT_THAT(problem_of("\"\xff\""), HasSubstr("UTF-8"));
  EXPECT_THAT(problem_of(nested(kDeepestJson + 1, "[", "]")), HasSubstr("nested deeper than 200"));
}

TEST(JsonProblem, SaysWhichContentIsUnexpected) {
  EXPECT_EQ(problem_of("{}", [](const json& fields) { fields.at("seed"); }), "key 'seed' not found");
  EXPECT_EQ(problem_of("[]", [](const json& list) { list.at(0); }), "array index 0 is out of range");
  EXPECT_EQ(problem_of("null", [](const json& text) { text.get<std::string>(); }),
            "type must be string, but is null");
  EXPECT_EQ(problem_of("5.5", [](const json& number) { checked<int>(number); }),
            "a field is not a whole number, or it is too large: 5.5");
}

/// The error of the JSON library contains the last token that it read, which may be long or contain control
/// characters.
TEST(JsonProblem, IsShortAndHasNoControlCharacters) {
  for (const std::string& text :
       {"[\"" + std::string(100'000, 'a'), "{\"a\": " + std::string(100'000, '9') + "x",
        std::string("\x1b[2J"), std::string("[\"\x01\"]"), std::string("nul")}) {
    const std::string problem = problem_of(text);
    EXPECT_LE(problem.size(), 400U);
    EXPECT_THAT(problem,
                AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x01")), Not(HasSubstr("json.exception"))));
  }
}

}  // namespace
}  // namespace molgauge
