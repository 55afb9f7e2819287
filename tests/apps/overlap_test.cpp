// Tests molecules that parts of a benchmark must not share. Every verb that trains or tests refuses a
// benchmark with such molecules. With --allow-overlap, the verb runs, and its results record the shared
// molecules.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class Overlap : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome split = place_.split(place_.nci_molecules(400), benchmark_, {"--algorithm", "drugood"});
    ASSERT_EQ(split.exit_code, 0) << split.err;
    place_.label_alternately(benchmark_);
    json file = json::parse(read_file(benchmark_));
    replace_file(benchmark_, file.dump(1));
    add(file, "train", "OCCNCCCCCCCl");
    replace_file(with_training_molecule_, file.dump(1));
    add(file, "iid_test", "ClCCCCCCNCCO");
    replace_file(overlapping_, file.dump(1));
  }

  static void add(json& file, const char* part, const char* smiles) {
    json item = file["split"][part][0];
    item["smiles"] = smiles;
    file["split"][part].push_back(item);
  }

  Outcome baseline(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"baseline", overlapping_, "--run", run_,      "--method",
                                      "msp",      "--encoder",  "ecfp",  "--store", place_.path("store"),
                                      "--epochs", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  Outcome experiment(const std::string& specification) const {
    return molgauge({"experiment", place_.file("spec.toml", specification), "--out", place_.path("matrix"),
                     "--store", place_.path("store")});
  }

  json content(const std::string& file) const { return json::parse(read_file(file)); }

  void expect_remark_in_report(const std::string& folder) const {
    const Outcome report = molgauge({"report", folder});
    ASSERT_EQ(report.exit_code, 0) << report.err;
    EXPECT_THAT(read_file(folder + "/report.html"),
                HasSubstr("1 molecule is in parts that must not overlap, which was accepted"));
  }

  Workplace place_;
  std::string benchmark_ = place_.path("clean.json"), run_ = place_.path("run");
  std::string with_training_molecule_ = place_.path("one-more.json");
  std::string overlapping_ = place_.path("overlapping.json");  ///< one molecule is in training and in test
};

const auto kRefusal =
    AllOf(HasSubstr("1 molecule is in parts that must not overlap"),
          HasSubstr("'ClCCCCCCNCCO' in test_id is the same molecule as 'OCCNCCCCCCCl' in train_id"),
          HasSubstr("--allow-overlap"));

TEST_F(Overlap, IsRefusedByTrainingUnlessAccepted) {
  const Outcome refused = place_.train(overlapping_, run_, {"--epochs", "1"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, kRefusal);
  const Outcome accepted = place_.train(overlapping_, run_, {"--epochs", "1", "--allow-overlap"});
  ASSERT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_THAT(accepted.err, HasSubstr("1 molecule is in parts that must not overlap. This was accepted"));
  EXPECT_EQ(content(run_ + "/config.json")["allow_overlap"], true);
  EXPECT_EQ(content(run_ + "/config.json")["shared_molecules"], 1);

  ASSERT_EQ(place_.evaluate(run_).exit_code, 0) << "evaluate accepts the overlap that the run accepted";
  EXPECT_EQ(content(run_ + "/test_metrics.json")["shared_molecules"], 1);
  EXPECT_EQ(content(run_ + "/test_metrics.json")["overlap_accepted"], true);
  expect_remark_in_report(run_);
}

TEST_F(Overlap, IsRefusedByAPlanUnlessAccepted) {
  for (const char* verb : {"train", "baseline"}) {
    const Outcome refused = molgauge({"memory", "plan", verb, overlapping_, "--encoder", "ecfp"});
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_THAT(refused.err, kRefusal);
    const Outcome accepted =
        molgauge({"memory", "plan", verb, overlapping_, "--encoder", "ecfp", "--allow-overlap"});
    EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  }
}

TEST_F(Overlap, IsRefusedByBaselinesUnlessAccepted) {
  const Outcome refused = baseline();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, kRefusal);
  const Outcome accepted = baseline({"--allow-overlap"});
  ASSERT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_EQ(content(run_ + "/config.json")["allow_overlap"], true);
  EXPECT_EQ(content(run_ + "/config.json")["shared_molecules"], 1);
  EXPECT_EQ(content(run_ + "/msp_results.json")["shared_molecules"], 1);
  EXPECT_EQ(content(run_ + "/msp_results.json")["overlap_accepted"], true);
  expect_remark_in_report(run_);
}

TEST_F(Overlap, WithTheTrainingOfARunIsRefusedByEvaluationUnlessAccepted) {
  ASSERT_EQ(place_.train(with_training_molecule_, run_, {"--epochs", "1"}).exit_code, 0);
  json other = {
      {"split", {{"train", json::array()}, {"iid_val", json::array()}, {"ood_val", json::array()}}}};
  const json item = content(benchmark_)["split"]["iid_test"][0];
  other["split"]["iid_test"] = {item};
  other["split"]["ood_test"] = {content(benchmark_)["split"]["ood_test"][0]};
  add(other, "iid_test", "ClCCCCCCNCCO");
  const std::string file = place_.file("other.json", other.dump(1));

  const Outcome refused = place_.evaluate(run_, {"--data", file});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("other.json: 1 of 3 test molecules are training molecules of " + run_),
                    HasSubstr("'ClCCCCCCNCCO' in test_id was in train_id"), HasSubstr("--allow-overlap")));
  EXPECT_FALSE(std::filesystem::exists(run_ + "/test_metrics.json"));
  const Outcome accepted = place_.evaluate(run_, {"--data", file, "--allow-overlap"});
  ASSERT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_EQ(content(run_ + "/test_metrics.json")["shared_molecules"], 1);
  EXPECT_EQ(content(run_ + "/test_metrics.json")["overlap_accepted"], true);
  EXPECT_EQ(content(run_ + "/test_metrics.json")["id_count"], 2);

  // Without this file, the folder is like a run of another version of RDKit.
  std::filesystem::remove(run_ + "/trained_molecules.safetensors");
  const Outcome unknown = place_.evaluate(run_, {"--data", file});
  ASSERT_EQ(unknown.exit_code, 0) << unknown.err;
  EXPECT_THAT(unknown.err, HasSubstr("cannot check whether"));
  EXPECT_TRUE(content(run_ + "/test_metrics.json")["shared_molecules"].is_null());
  ASSERT_EQ(molgauge({"report", run_}).exit_code, 0);
  EXPECT_THAT(read_file(run_ + "/report.html"), HasSubstr("it is unknown whether some test molecules"));
}

constexpr const char* kMatrix = R"([matrix]
encoders = ["ecfp"]
[training]
epochs = 1
[classifier]
epochs = 1
[[benchmark]]
name = "bench"
file = "overlapping.json"
#more
[[method]]
name = "energy"
[[method]]
name = "probability"
kind = "msp"
)";

TEST_F(Overlap, IsRefusedByAMatrixUnlessAccepted) {
  const Outcome refused = experiment(kMatrix);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, AllOf(kRefusal, HasSubstr("spec.toml:7: benchmark 'bench'"),
                                 HasSubstr("allow-overlap = true")));
  std::string specification = kMatrix;
  specification.replace(specification.find("#more"), 5, "allow-overlap = true");
  const Outcome accepted = experiment(specification);
  ASSERT_EQ(accepted.exit_code, 0) << accepted.err;
  std::size_t runs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place_.path("matrix"))) {
    if (entry.path().filename() == "config.json") {
      ++runs;
      EXPECT_EQ(content(entry.path().string())["allow_overlap"], true) << entry.path();
      EXPECT_EQ(content(entry.path().string())["shared_molecules"], 1) << entry.path();
    }
  }
  EXPECT_EQ(runs, 2U);
  EXPECT_THAT(read_file(place_.path("matrix/cells.csv")), HasSubstr("must not overlap"));
  expect_remark_in_report(place_.path("matrix"));
}

TEST_F(Overlap, ARunOfAMatrixKnowsWhatItWasTrainedOn) {
  std::string specification = kMatrix;
  specification.replace(specification.find("overlapping"), 11, "one-more");
  ASSERT_EQ(experiment(specification).exit_code, 0);
  std::string run;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place_.path("matrix"))) {
    if (entry.path().filename() == "trained_molecules.safetensors") {
      run = entry.path().parent_path().string();
    }
  }
  ASSERT_NE(run, "");
  const Outcome refused = place_.evaluate(run, {"--data", overlapping_});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("'ClCCCCCCNCCO' in test_id was in train_id"));
}

}  // namespace
}  // namespace molgauge::test
