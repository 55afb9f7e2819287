#include "molecules/baselines/classifier/benchmark_labels.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::baselines {
namespace {

using testing::HasSubstr;
using Molecules = std::vector<datasets::BenchmarkMolecule>;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// Each molecule has the labels of two tasks, and a value that is one of three classes.
const Molecules kTrain = {
    {"C", 0, 11, 0, {0, kUnknown}}, {"CC", 1, 12, 1, {1, 0}}, {"CCC", 1, 13, 2, {1, 1}}};
const Molecules kValidation = {{"CO", 1, 21, 1, {kUnknown, kUnknown}}};

BenchmarkLabels read(LabelChoice choice, const Molecules& train = kTrain,
                     const Molecules& validation = kValidation) {
  return benchmark_labels(choice, train, validation, "bench.json");
}

std::string refusal(LabelChoice choice, const Molecules& train) {
  try {
    read(choice, train);
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "";
}

Molecules with(std::size_t place, const datasets::BenchmarkMolecule& molecule) {
  Molecules molecules = kTrain;
  molecules[place] = molecule;
  return molecules;
}

TEST(BenchmarkLabels, AreWhatTheNameSays) {
  const Labels two = read(LabelChoice::two_outputs).train;
  EXPECT_EQ(two.kind, LabelKind::classes);
  EXPECT_EQ(two.outputs, 2);
  const Labels one = read(LabelChoice::one_output).train;
  EXPECT_EQ(one.kind, LabelKind::tasks);
  EXPECT_EQ(one.outputs, 1);
  const Labels three = read(LabelChoice::multi_class).train;
  EXPECT_EQ(three.kind, LabelKind::classes);
  EXPECT_EQ(three.outputs, 3);
  const Labels measured = read(LabelChoice::value).train;
  EXPECT_EQ(measured.kind, LabelKind::continuous);
  EXPECT_EQ(measured.values[2][0].item<float>(), 2);
}

TEST(BenchmarkLabels, OfSeveralTasksMayBeUnknown) {
  const BenchmarkLabels labels = read(LabelChoice::tasks);
  EXPECT_EQ(labels.train.outputs, 2);
  EXPECT_TRUE(std::isnan(labels.train.values[0][1].item<float>()));
  EXPECT_EQ(labels.train.values[2][1].item<float>(), 1);
  EXPECT_EQ(labels.validation.rows(), 1);
}

TEST(BenchmarkLabels, AreTasksOfThemselvesWhereThereAreSeveral) {
  EXPECT_EQ(read(LabelChoice::automatic).train.kind, LabelKind::tasks);
  const Molecules single = {{"C", 0, 11, 0}, {"CC", 1, 12, 1}};
  EXPECT_EQ(read(LabelChoice::automatic, single).train.kind, LabelKind::classes);
}

TEST(BenchmarkLabels, AClassOfValidationAloneIsAnOutput) {
  EXPECT_EQ(read(LabelChoice::multi_class, kTrain, {{"CO", 1, 21, 4}}).train.outputs, 5);
}

TEST(BenchmarkLabels, RefusalsNameFileAndLine) {
  EXPECT_THAT(refusal(LabelChoice::multi_class, with(1, {"CC", 1, 12, 0.5})), HasSubstr("bench.json:12"));
  EXPECT_THAT(refusal(LabelChoice::multi_class, with(1, {"CC", 1, 12, 21})), HasSubstr("--labels value"));
  EXPECT_THAT(refusal(LabelChoice::multi_class, with(1, {"CC", 1, 12, -1})), HasSubstr("bench.json:12"));
  EXPECT_THAT(refusal(LabelChoice::tasks, with(1, {"CC", 1, 12, 1, {1}})),
              HasSubstr("has 1 labels, other molecules have 2"));
  EXPECT_THAT(refusal(LabelChoice::tasks, with(2, {"CCC", 1, 13, 1, {1, 0.5F}})), HasSubstr("bench.json:13"));
}

TEST(BenchmarkLabels, OfOneKindCannotBeLearned) {
  const Molecules alike = {{"C", 1, 11, 1, {1, kUnknown}}, {"CC", 1, 12, 1, {1, 0}}};
  EXPECT_THAT(refusal(LabelChoice::two_outputs, alike), HasSubstr("cls_label 1"));
  for (const auto choice :
       {LabelChoice::one_output, LabelChoice::multi_class, LabelChoice::tasks, LabelChoice::value}) {
    EXPECT_THAT(refusal(choice, alike), HasSubstr("bench.json: ")) << static_cast<int>(choice);
  }
}

}  // namespace
}  // namespace molgauge::baselines
