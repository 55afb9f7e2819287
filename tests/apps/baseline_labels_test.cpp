// Tests baselines on labels of every kind: several tasks with unknown labels, three classes, measured values.

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class BaselineLabels : public testing::Test {
 protected:
  /// The benchmark has three kinds of labels: two tasks in which every third label is unknown, three classes,
  /// and a number that grows with the size of the molecule.
  void SetUp() override {
    std::string csv = "smiles,nitrogen,oxygen,kind,size\n";
    std::istringstream lines(read_file(place_.nci_molecules(400)));
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line); ++row) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      const int nitrogen = smiles.find_first_of("Nn") != std::string::npos ? 1 : 0;
      const int oxygen = smiles.find_first_of("Oo") != std::string::npos ? 1 : 0;
      csv += smiles + "," + (row % 3 == 0 ? "" : std::to_string(nitrogen)) + "," +
             (row % 3 == 1 ? "" : std::to_string(oxygen)) + "," + std::to_string(nitrogen + oxygen) + "," +
             std::to_string(smiles.size()) + ".5\n";
    }
    table_ = place_.file("labelled.csv", csv);
  }

  void split(const std::vector<std::string>& columns) {
    std::vector<std::string> words;
    for (const auto& column : columns) {
      words.insert(words.end(), {"--label-column", column});
    }
    const Outcome outcome = place_.split(table_, benchmark_, words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  Outcome baseline(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"baseline", benchmark_,           "--run",    run_, "--encoder", "ecfp",
                                      "--store",  place_.path("store"), "--epochs", "5"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  std::int64_t outputs(const char* classifier) const {
    return io::read_safetensors(run_ + "/" + classifier).tensors.at("network.7.bias").shape.at(0);
  }

  /// Every method has a result with finite figures.
  void expect_results(std::size_t count) const {
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(run_)) {
      if (entry.path().string().ends_with("_results.json")) {
        const auto figures = nlohmann::json::parse(read_file(entry.path()));
        EXPECT_TRUE(figures["auroc"].is_number() && figures["id_scores_mean"].is_number()) << entry.path();
        ++found;
      }
    }
    EXPECT_EQ(found, count);
  }

  Workplace place_;
  std::string table_, benchmark_ = place_.path("benchmark.json"), run_ = place_.path("run");
};

TEST_F(BaselineLabels, SeveralTasksWithUnknownLabels) {
  split({"nitrogen", "oxygen"});
  const Outcome outcome = baseline({});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outputs("classifier.safetensors"), 2);
  EXPECT_THAT(outcome.err, HasSubstr("classifier (supervised): best validation auroc"));
  expect_results(12);
  const Outcome other = baseline({"--labels", "class"});
  EXPECT_EQ(other.exit_code, 3) << "another classifier is another run";
  EXPECT_THAT(other.err, HasSubstr("labels \"auto\", not \"class\""));
}

TEST_F(BaselineLabels, ThreeClassesAreClasses) {
  split({"kind"});
  const Outcome outcome = baseline({"--labels", "multi-class"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outputs("classifier.safetensors"), 3);
  EXPECT_EQ(outputs("dam_classifier.safetensors"), 3);
  EXPECT_THAT(outcome.err, HasSubstr("classifier (supervised): best validation accuracy"));
  expect_results(12);
}

TEST_F(BaselineLabels, OneOutputIsEnoughForTwoClasses) {
  split({"kind"});
  const Outcome outcome = baseline({"--labels", "one-output"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outputs("classifier.safetensors"), 1);
  expect_results(12);
}

TEST_F(BaselineLabels, MeasuredValuesAreForMethodsWithoutPositives) {
  split({"size"});
  const Outcome outcome = baseline({"--labels", "value"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("dam_msp and dam_energy are left out"));
  EXPECT_THAT(outcome.err, HasSubstr("negative_squared_error"));
  expect_results(10);
  const Outcome refused = baseline({"--labels", "value", "--method", "dam_msp"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("dam_msp cannot learn measured values"));
}

TEST_F(BaselineLabels, OfAnotherKindAreRefusedBeforeAnythingIsComputed) {
  split({"size"});
  const Outcome values = baseline({"--labels", "multi-class"});
  EXPECT_EQ(values.exit_code, 3);
  EXPECT_THAT(values.err, testing::ContainsRegex("benchmark.json:[0-9]+: .*--labels value"));
  const Outcome single = baseline({"--labels", "tasks"});
  EXPECT_EQ(single.exit_code, 3);
  EXPECT_THAT(single.err, HasSubstr("several --label-column"));
  EXPECT_EQ(baseline({"--labels", "regression"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(run_));
}

TEST_F(BaselineLabels, InAMatrix) {
  const std::string spec = place_.file("spec.toml", R"([matrix]
encoders = ["ecfp"]
seeds = [1]

[classifier]
epochs = 3

[[benchmark]]
name = "tasks"
molecules = "labelled.csv"
label-column = ["nitrogen", "oxygen"]
domain = "size"

[[benchmark]]
name = "kinds"
molecules = "labelled.csv"
label-column = "kind"
domain = "size"

[[method]]
name = "softmax"
kind = "msp"

[[method]]
name = "one-output"
kind = "dam_energy"
labels = "one-output"
)");
  const Outcome outcome = molgauge(
      {"experiment", spec, "--out", place_.path("matrix"), "--store", place_.path("store"), "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 runs, 4 computed now, 0 failed"));

  std::string wrong = read_file(spec);
  wrong.replace(wrong.find("\"one-output\"\n", wrong.find("labels")), 12, "\"value\"");
  place_.file("spec.toml", wrong);
  const Outcome refused = molgauge({"experiment", spec, "--out", place_.path("other"), "--plan-only"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("spec.toml:24: method 'one-output': dam_energy cannot learn"));
}

}  // namespace
}  // namespace molgauge::test
