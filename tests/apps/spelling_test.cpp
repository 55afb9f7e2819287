// Tests misspelled names. The message suggests the intended name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

void expect_meant(const std::vector<std::string>& words, const std::string& meant) {
  const Outcome outcome = molgauge(words);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("Did you mean '" + meant + "'?"));
}

TEST(Spelling, OfVerbs) {
  expect_meant({"encoed", "m.smi"}, "encode");
  expect_meant({"Train"}, "train");
  expect_meant({"memory", "explian", "t"}, "explain");
  expect_meant({"memory", "plan", "encod", "m.smi"}, "encode");
  expect_meant({"store", "verfy"}, "verify");
  EXPECT_THAT(molgauge({"quantum"}).err, HasSubstr("It has demo, doctor"));
}

TEST(Spelling, OfOptions) {
  expect_meant({"encode", "m.smi", "--encodr", "ecfp"}, "--encoder");
  expect_meant({"train", "b.json", "--run", "r", "--batchsize=5"}, "--batch-size");
  expect_meant({"memory", "watch", "1", "--evry", "2"}, "--every");
  EXPECT_THAT(molgauge({"encode", "m.smi", "--quantum"}).err, HasSubstr("molgauge encode --help"));
}

TEST(Spelling, OfShortOptions) {
  EXPECT_THAT(molgauge({"encode", "m.smi", "-o", "f.npy"}).err,
              HasSubstr("no option '-o'. Options have long names, such as --out"));
  EXPECT_EQ(molgauge({"encode", "m.smi", "-o", "f.npy"}).exit_code, 2);
  EXPECT_THAT(molgauge({"-v"}).err, HasSubstr("--version"));
}

TEST(Spelling, WordsThatAreOftenTypedHaveAHint) {
  EXPECT_THAT(molgauge({"help"}).err, HasSubstr("molgauge --help"));
  EXPECT_THAT(molgauge({"train.py"}).err, HasSubstr("python3 -m memgauge predict train.py"));
  EXPECT_THAT(molgauge({"memory", "predict", "train.py"}).err, HasSubstr("python3 -m memgauge predict"));
}

TEST(Spelling, OfEncodersAndMethods) {
  Workplace place;
  expect_meant(
      {"encode", place.file("m.smi", "CCO\n"), "--encoder", "minimoll", "--store", place.path("store")},
      "minimol");
  expect_meant({"baseline", "b.json", "--run", place.path("r"), "--method", "mahalonobis"}, "mahalanobis");
}

/// Molgauge does not correct words in a command of another program.
TEST(Spelling, LeavesMigrateAlone) {
  const Outcome outcome = molgauge({"migrate", "python", "main.py", "--mode", "train"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("molgauge train BENCHMARK"));
  EXPECT_THAT(outcome.out, HasSubstr("no data set is named"));
}

TEST(Spelling, OfWordsWithControlCharacters) {
  const Outcome outcome = molgauge({"\x1b[2J"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'\\x1b[2J'"));
}

}  // namespace
}  // namespace molgauge::test
