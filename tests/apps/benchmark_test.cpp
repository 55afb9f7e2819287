// Tests benchmarks on the command line, from a table of measurements to an evaluation. Also tests inputs that
// are refused.

#include <functional>
#include <set>
#include <sstream>

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

class Benchmark : public testing::Test {
 protected:
  /// `count` NCI molecules measured in assays of decreasing size, with some censored values.
  std::string measurements(std::size_t count) const {
    std::istringstream molecules(read_file(place_.nci_molecules(count)));
    std::string csv = "smiles,value,assay,relation\n";
    std::string smiles, name;
    std::size_t assay = 0, left = 0;
    for (std::size_t i = 0; molecules >> smiles && std::getline(molecules, name); ++i) {
      if (left == 0) {
        ++assay;
        left = std::max<std::size_t>(12, count / (assay * 4));
      }
      --left;
      csv += smiles + "," + std::to_string(3 + i % 5) + ".25," + std::to_string(1000 + assay) +
             (i % 7 == 0 ? ",>\n" : ",=\n");
    }
    return place_.file("measurements.csv", csv);
  }

  Outcome split_by_assay(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {
        "split", measurements(400),   "--domain", "assay", "--label-column", "value",  "--assay-column",
        "assay", "--relation-column", "relation", "--out", benchmark_,       "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  json content() const { return json::parse(read_file(benchmark_)); }

  /// Writes a copy of the benchmark with changed parts, and returns its path.
  std::string changed(const std::function<void(json& split)>& change) const {
    json file = content();
    change(file["split"]);
    return place_.file("changed.json", file.dump(1));
  }

  Workplace place_;
  std::string benchmark_ = place_.path("assay.json");
  std::string run_ = place_.path("run");
};

TEST_F(Benchmark, ByAssayFromATableOfMeasurementsToAnEvaluation) {
  const Outcome split = split_by_assay();
  ASSERT_EQ(split.exit_code, 0) << split.err;
  const json parts = content()["split"];
  const auto assays = [&](const char* part) {
    std::set<int> ids;
    for (const auto& item : parts[part]) {
      ids.insert(item["assay_id"].get<int>());
    }
    return ids;
  };
  const auto train_assays = assays("train");
  EXPECT_TRUE(train_assays.contains(1001)) << "the largest assay is trained on";
  for (const int assay : assays("ood_test")) {
    EXPECT_FALSE(train_assays.contains(assay));
  }

  ASSERT_EQ(place_.encode(benchmark_).exit_code, 0);
  const Outcome train = place_.train(benchmark_, run_, {"--epochs", "4"});
  ASSERT_EQ(train.exit_code, 0) << train.err;
  const Outcome evaluation = place_.evaluate(run_);
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_THAT(evaluation.out, HasSubstr("AUROC"));
  EXPECT_EQ(place_.evaluate(run_, {"--data", benchmark_}).exit_code, 0);
}

TEST_F(Benchmark, LeakageOfATextStopsTraining) {
  ASSERT_EQ(split_by_assay().exit_code, 0);
  std::string leaked;
  const std::string benchmark = changed([&](json& split) {
    split["iid_test"].push_back(split["train"][0]);
    leaked = split["train"][0]["smiles"].get<std::string>();
  });
  const Outcome outcome = place_.train(benchmark, run_);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("'" + leaked + "' is in train_id and in test_id"), HasSubstr("changed.json:")));
  EXPECT_FALSE(std::filesystem::exists(run_));
}

TEST_F(Benchmark, LeakageInAnotherSpellingStopsTrainingAndEvaluation) {
  ASSERT_EQ(split_by_assay().exit_code, 0);
  const auto with_smiles = [](json item, const char* smiles) {
    item["smiles"] = smiles;
    return item;
  };
  const std::string benchmark = changed([&](json& split) {
    split["train"].push_back(with_smiles(split["train"][0], "OCCNCCCCCCCl"));
    split["iid_val"].push_back(with_smiles(split["iid_val"][0], "ClCCCCCCNCCO"));
    split["iid_test"].push_back(with_smiles(split["iid_test"][0], "BrCCCCCCNCCF"));
    split["ood_test"].push_back(with_smiles(split["ood_test"][0], "FCCNCCCCCCBr"));
  });
  const Outcome train = place_.train(benchmark, run_);
  EXPECT_EQ(train.exit_code, 3) << train.err;
  EXPECT_THAT(
      train.err,
      AllOf(HasSubstr("'ClCCCCCCNCCO' in val_id is the same molecule as 'OCCNCCCCCCCl' in train_id"),
            HasSubstr("'FCCNCCCCCCBr' in test_ood is the same molecule as 'BrCCCCCCNCCF' in test_id")));

  ASSERT_EQ(place_.train(benchmark_, run_, {"--epochs", "1"}).exit_code, 0);
  const Outcome evaluation = place_.evaluate(run_, {"--data", benchmark});
  EXPECT_EQ(evaluation.exit_code, 3) << evaluation.err;
  EXPECT_THAT(evaluation.err, HasSubstr("'FCCNCCCCCCBr'"));
}

TEST_F(Benchmark, WhatIsNoMoleculeIsReportedWithItsLine) {
  ASSERT_EQ(split_by_assay().exit_code, 0);
  const std::string benchmark = changed([](json& split) { split["train"][3]["smiles"] = "C1CC"; });
  const Outcome outcome = place_.train(benchmark, run_, {"--epochs", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("changed.json:"), HasSubstr("'C1CC'")));
  const Outcome strict = place_.train(benchmark, place_.path("strict"), {"--strict"});
  EXPECT_EQ(strict.exit_code, 3) << strict.err;
  EXPECT_THAT(strict.err, HasSubstr("'C1CC'"));
}

TEST_F(Benchmark, ADebugSizeMakesATrialQuick) {
  ASSERT_EQ(split_by_assay().exit_code, 0);
  ASSERT_EQ(place_.train(benchmark_, run_, {"--epochs", "1", "--debug-dataset-size", "20"}).exit_code, 0);
  ASSERT_EQ(place_.evaluate(run_).exit_code, 0);
  const json metrics = json::parse(read_file(run_ + "/test_metrics.json"));
  EXPECT_EQ(metrics["id_count"], 10) << "1000 of 2000";
  EXPECT_EQ(place_.train(benchmark_, run_, {"--debug-dataset-size", "20", "--test-size", "5"}).exit_code, 2);
}

TEST_F(Benchmark, OptionsThatDoNotApplyTogetherAreRefused) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--shift", "concept"},
                                             {"--algorithm", "good"},
                                             {"--style", "values"},
                                             {"--label-column", "value"},
                                             {"--units-column", "relation"},
                                             {"--subset", "general", "--measurement-type", "EC50"},
                                             {"--drop-acyclic"}}) {
    const Outcome outcome = split_by_assay(wrong);
    EXPECT_EQ(outcome.exit_code, 2) << wrong.front() << ": " << outcome.err;
  }
}

TEST_F(Benchmark, WithEveryShiftOfGoodIsTrainedOn) {
  for (const char* shift : {"concept", "none"}) {
    const Outcome split = molgauge({"split", measurements(400), "--domain", "size", "--label-column", "value",
                                    "--shift", shift, "--out", benchmark_, "--quiet"});
    ASSERT_EQ(split.exit_code, 0) << split.err;
    const Outcome train = place_.train(benchmark_, run_, {"--epochs", "1", "--restart"});
    EXPECT_EQ(train.exit_code, 0) << train.err;
    EXPECT_EQ(place_.evaluate(run_).exit_code, 0);
  }
}

}  // namespace
}  // namespace molgauge::test
