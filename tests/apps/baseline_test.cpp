#include <regex>

// Runs the ten baselines from the command line.

#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/text/bytes.h"
#include "base/io/tensors/npz.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kMethods = {"msp",     "odin",       "energy",          "mahalanobis",
                                           "knn",     "lof",        "mc_dropout",      "conformal",
                                           "dam_msp", "dam_energy", "raw_mahalanobis", "raw_knn"};

class BaselineVerb : public testing::Test {
 protected:
  /// A benchmark whose class tells whether a molecule contains nitrogen.
  void SetUp() override {
    std::string csv = "smiles,label\n";
    std::istringstream lines(read_file(place_.nci_molecules(200)));
    for (std::string line; std::getline(lines, line);) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      const bool nitrogen = smiles.find_first_of("Nn") != std::string::npos;
      csv += smiles + (nitrogen ? ",1\n" : ",0\n");
    }
    const Outcome split =
        place_.split(place_.file("labelled.csv", csv), benchmark_, {"--label-column", "label"});
    ASSERT_EQ(split.exit_code, 0) << split.err;
  }
  Outcome baseline(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"baseline", benchmark_,           "--run",    run_, "--encoder", "ecfp",
                                      "--store",  place_.path("store"), "--epochs", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  nlohmann::json result(const std::string& method) const {
    return nlohmann::json::parse(read_file(run_ + "/" + method + "_results.json"));
  }

  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json"), run_ = place_.path("run");
};

TEST_F(BaselineVerb, TrainsAsPlanned) {
  const Outcome planned =
      molgauge({"memory", "plan", "baseline", benchmark_, "--method", "msp", "--encoder", "ecfp", "--json"});
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  const auto plans = nlohmann::json::parse(planned.out);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans.at(1).at("work"), "train a classifier");
  ASSERT_EQ(baseline({"--method", "msp"}).exit_code, 0);
  const auto stats = nlohmann::json::parse(read_file(run_ + "/training_stats.json"));
  EXPECT_EQ(stats.at("oom_recoveries"), 0);
  EXPECT_EQ(stats.at("classifiers").at("supervised").at("oom_recoveries"), 0);
  const auto& recorded = stats.at("memory_plans");
  ASSERT_EQ(recorded.size(), 2U);
  EXPECT_EQ(recorded.at(1).at("effective_batch"), plans.at(1).at("effective_batch"));
  EXPECT_EQ(recorded.at(1).at("alternatives").at(0).at("projected_bytes"),
            plans.at(1).at("alternatives").at(0).at("projected_bytes"));
}

TEST_F(BaselineVerb, AllMethodsWriteTheirFilesAndOneTable) {
  const Outcome outcome = baseline({"--metrics", "baseline"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const std::string& method : kMethods) {
    EXPECT_THAT(outcome.out, HasSubstr(method));
    const auto figures = result(method);
    for (const char* key : {"auroc", "aupr", "fpr95", "validation_auroc", "id_scores_mean", "id_scores_std",
                            "ood_scores_mean", "ood_scores_std", "separation", "classifier_collapsed"}) {
      EXPECT_TRUE(figures.contains(key)) << method << " " << key;
    }
    EXPECT_EQ(figures["metric_variant"], "baseline");
    EXPECT_TRUE(std::filesystem::exists(run_ + "/" + method + "_scores.npz")) << method;
  }
  for (const char* name : {"config.json", "training_stats.json", "classifier.safetensors",
                           "dam_classifier.safetensors", "baseline.log"}) {
    EXPECT_TRUE(std::filesystem::exists(run_ + "/" + name)) << name;
  }
  EXPECT_THAT(outcome.out, HasSubstr("validation AUROC"));
  EXPECT_THAT(outcome.out, HasSubstr(fmt::format("{:.4f}", result("knn")["validation_auroc"].get<double>())));
  EXPECT_THAT(outcome.err, HasSubstr("encoding: "));
  EXPECT_THAT(outcome.err, HasSubstr("train: "));
}

TEST_F(BaselineVerb, FinishedMethodsAreKeptAndMissingOnesComputed) {
  ASSERT_EQ(baseline({"--method", "msp"}).exit_code, 0);
  const std::string classifier = read_file(run_ + "/classifier.safetensors");
  const std::string first = read_file(run_ + "/msp_results.json");
  EXPECT_FALSE(std::filesystem::exists(run_ + "/dam_classifier.safetensors"));
  const Outcome rest = baseline({});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.out, HasSubstr("kept"));
  EXPECT_EQ(read_file(run_ + "/msp_results.json"), first);
  EXPECT_EQ(read_file(run_ + "/classifier.safetensors"), classifier);
  EXPECT_TRUE(std::filesystem::exists(run_ + "/dam_energy_results.json"));
}

TEST_F(BaselineVerb, SameSeedSameScores) {
  ASSERT_EQ(baseline({}).exit_code, 0);
  std::map<std::string, std::string> scores;
  for (const std::string& method : kMethods) {
    scores[method] = read_file(run_ + "/" + method + "_scores.npz");
  }
  ASSERT_EQ(baseline({"--restart", "--threads", "1"}).exit_code, 0);
  for (const std::string& method : kMethods) {
    EXPECT_EQ(read_file(run_ + "/" + method + "_scores.npz"), scores[method]) << method;
  }
}

TEST_F(BaselineVerb, RefusesBeforeComputing) {
  EXPECT_EQ(baseline({"--method", "nothing"}).exit_code, 2);
  EXPECT_EQ(baseline({"--method", "msp", "--knn-k", "3"}).exit_code, 2);
  const Outcome other_rate = baseline({"--method", "dam_msp", "--lr", "0.1"});
  EXPECT_EQ(other_rate.exit_code, 2);
  EXPECT_THAT(other_rate.err, HasSubstr("is dam-lr"));
  EXPECT_EQ(baseline({"--dropout", "1"}).exit_code, 2);
  const Outcome without = baseline({"--method", "logistic_regression"});
  EXPECT_EQ(without.exit_code, 2);
  const Outcome many = baseline({"--knn-k", "100000"});
  EXPECT_EQ(many.exit_code, 3);
  EXPECT_THAT(many.err, HasSubstr("benchmark.json"));
  EXPECT_THAT(many.err, HasSubstr("knn-k"));
  EXPECT_FALSE(std::filesystem::exists(run_));
}

TEST_F(BaselineVerb, LeavesARunAloneThatAnotherProcessWorksOn) {
  ASSERT_EQ(baseline({"--method", "msp"}).exit_code, 0);
  const auto content = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(run_)) {
      files[entry.path().filename().string()] = read_file(entry.path());
    }
    return files;
  };
  const FolderLock lock(run_);
  const auto before = content();
  const Outcome outcome = baseline({"--method", "msp", "--restart", "--seed", "7"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("another process"));
  EXPECT_TRUE(content() == before);
}

TEST_F(BaselineVerb, ReportsTestMoleculesThatAreNone) {
  auto file = nlohmann::json::parse(read_file(benchmark_));
  auto& side = file["split"]["iid_test"];
  side[0]["smiles"] = "C1CC";
  side[1]["smiles"] = "no molecule";
  replace_file(benchmark_, file.dump());
  const Outcome strict = baseline({"--method", "msp", "--strict"});
  EXPECT_EQ(strict.exit_code, 3) << strict.err;
  EXPECT_FALSE(std::filesystem::exists(run_));
  const Outcome outcome = baseline({"--method", "msp"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("'C1CC'"));
  EXPECT_THAT(outcome.err, HasSubstr("'no molecule'"));
  EXPECT_EQ(result("msp").at("id_count"), side.size() - 2);
}

TEST_F(BaselineVerb, APlanThatDoesNotFitSaysWhatWouldDo) {
  const Outcome planned =
      molgauge({"memory", "plan", "baseline", benchmark_, "--encoder", "ecfp", "--memory-budget", "20MiB"});
  EXPECT_EQ(planned.exit_code, 4) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("nothing fits"));
  EXPECT_THAT(planned.err, HasSubstr("train a classifier does not fit"));
}

TEST_F(BaselineVerb, AsksForRoomForItsFeaturesOnce) {
  auto file = nlohmann::json::parse(read_file(benchmark_));
  auto& split = file["split"];
  const auto train = split["train"];
  for (int copy = 1; copy < 100; ++copy) {  // with 100 copies, features need most of the memory
    split["train"].insert(split["train"].end(), train.begin(), train.end());
  }
  replace_file(benchmark_, file.dump());
  const std::size_t molecules =
      split["train"].size() + split["iid_val"].size() + split["iid_test"].size() + split["ood_test"].size();
  constexpr std::size_t kWidth = 512;  // width of ecfp
  const Outcome refused = baseline({"--method", "msp", "--train-size", "0", "--val-size", "0", "--test-size",
                                    "0", "--memory-budget", "20MiB"});
  EXPECT_EQ(refused.exit_code, 4);
  std::smatch takes;
  ASSERT_TRUE(std::regex_search(refused.err, takes, std::regex("needs ([0-9.]+) MiB in addition")))
      << refused.err;
  EXPECT_LT(std::stod(takes[1].str()) * (1 << 20), 2.0 * molecules * kWidth * sizeof(float));
}

/// The largest batch size takes as much memory as one batch with all molecules.
TEST_F(BaselineVerb, TakesABatchSizeBeyondItsMolecules) {
  const std::size_t molecules = nlohmann::json::parse(read_file(benchmark_))["split"]["train"].size();
  ASSERT_EQ(baseline({"--method", "msp", "--batch-size", std::to_string(molecules)}).exit_code, 0);
  const std::string scores = read_file(run_ + "/msp_scores.npz");
  const Outcome largest = baseline({"--method", "msp", "--restart", "--batch-size", "10000000"});
  ASSERT_EQ(largest.exit_code, 0) << largest.err;
  EXPECT_EQ(read_file(run_ + "/msp_scores.npz"), scores);
  for (const char* size : {"10000001", "9223372036854775807", "18446744073709551615"}) {
    const Outcome refused = baseline({"--method", "msp", "--restart", "--batch-size", size});
    EXPECT_EQ(refused.exit_code, 2) << size;
    EXPECT_THAT(refused.err, HasSubstr("from 1 to 10000000"));
  }
}

TEST_F(BaselineVerb, RefusesOneClassOnly) {
  ASSERT_EQ(place_.split(place_.nci_molecules(200), benchmark_).exit_code, 0);
  const Outcome outcome = baseline({"--method", "msp"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("cls_label 0"));
}

/// A p-value of conformal is a count of calibration molecules, divided by the number of calibration molecules
/// plus one.
TEST_F(BaselineVerb, ConformalCalibratesOnMoleculesThatDidNotChooseTheClassifier) {
  const auto file = nlohmann::json::parse(read_file(benchmark_));
  const std::size_t validation = file["split"]["iid_val"].size();
  for (const auto& [calibration, count] :
       std::map<std::string, std::size_t>{{"held-out", validation / 2}, {"validation", validation}}) {
    ASSERT_EQ(baseline({"--method", "conformal", "--restart", "--calibration", calibration}).exit_code, 0);
    for (const float score : io::read_npz(run_ + "/conformal_scores.npz", "ood_scores").to_float32()) {
      const double rank = static_cast<double>(score) * static_cast<double>(count + 1);
      EXPECT_NEAR(rank, std::round(rank), 1e-3) << calibration;
    }
  }
}

TEST_F(BaselineVerb, OtherOptionsAreAnotherRun) {
  ASSERT_EQ(baseline({"--method", "msp"}).exit_code, 0);
  const Outcome other = baseline({"--method", "knn", "--knn-k", "5"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("knn_k 50, not 5"));
  EXPECT_EQ(baseline({"--method", "knn", "--knn-k", "5", "--restart"}).exit_code, 0);
}

}  // namespace
}  // namespace molgauge::test
