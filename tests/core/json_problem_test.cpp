#include "core/json_problem.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checked_json.h"

namespace headroom {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What is said of text that `use` cannot read.
std::string problem_of(const std::string& text, const std::function<void(const json&)>& use = {}) {
  try {
    const json content = json::parse(text);
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
