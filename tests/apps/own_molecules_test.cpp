// Tests `molgauge train MOLECULES --ood FILE`, which trains on the user's molecules against a background set.

#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OwnMolecules : public testing::Test {
 protected:
  void SetUp() override {
    std::istringstream lines(read_file(place_.nci_molecules(600)));
    std::string own = "id,smiles\n", others;
    std::size_t line_number = 0;
    for (std::string line; std::getline(lines, line); ++line_number) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      if (line_number % 2 == 0) {
        own += std::to_string(line_number) + ",\"" + smiles + "\"\n";
      }
      if (line_number % 2 == 1 || line_number % 50 == 0) {  // six molecules are in both files
        others += smiles + "\n";
      }
    }
    own_ = place_.file("own.csv", own + "x,no molecule\n");
    others_ = place_.file("others.smi", others);
  }
  Outcome train(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"--ood", others_, "--epochs", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return place_.train(own_, run_, words);
  }

  Workplace place_;
  std::string own_, others_, run_ = place_.path("run");
};

TEST_F(OwnMolecules, TrainEvaluateAndScoreWithoutABenchmark) {
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, AllOf(HasSubstr("as OOD molecules. Left out"), HasSubstr("own.csv:302")));
  const auto benchmark = nlohmann::json::parse(read_file(run_ + "/benchmark.json"));
  const auto& metadata = benchmark.at("metadata");
  EXPECT_GE(metadata.at("background_same").get<int>(), 1);
  EXPECT_GE(metadata.at("background_near").get<int>() + metadata.at("background_near_in_test").get<int>(), 1);
  EXPECT_EQ(metadata.at("ood_similarity"), 0.7);
  const auto config = nlohmann::json::parse(read_file(run_ + "/config.json"));
  EXPECT_EQ(config.at("near_duplicates_removed").get<int>(),
            metadata.at("background_same").get<int>() + metadata.at("background_near").get<int>());
  EXPECT_EQ(config.at("molecules_file"), own_);
  EXPECT_EQ(config.at("ood_file"), others_);
  EXPECT_THAT(read_file(run_ + "/failed.csv"), HasSubstr("no molecule"));
  EXPECT_THAT(read_file(run_ + "/training.log"), HasSubstr("near duplicate"));
  const Outcome evaluated = place_.evaluate(run_);
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(place_.score(run_, own_).exit_code, 0);
  // A run that was moved still finds its benchmark.
  const std::string moved = place_.path("moved");
  std::filesystem::rename(run_, moved);
  EXPECT_EQ(place_.evaluate(moved).exit_code, 0);
}

TEST_F(OwnMolecules, SameSeedSameBytesAndOtherMoleculesAreAnotherRun) {
  ASSERT_EQ(train({"--quiet"}).exit_code, 0);
  const std::string model = read_file(run_ + "/best_model.safetensors");
  EXPECT_THAT(train().out, HasSubstr("(resumed)"));
  EXPECT_EQ(train({"--ood-similarity", "0.5"}).exit_code, 3);
  ASSERT_EQ(train({"--restart", "--threads", "1"}).exit_code, 0);
  EXPECT_EQ(read_file(run_ + "/best_model.safetensors"), model);
  ASSERT_EQ(train({"--restart", "--ood-similarity", "0.5", "--data-seed", "3"}).exit_code, 0);
  EXPECT_NE(read_file(run_ + "/best_model.safetensors"), model);
}

TEST_F(OwnMolecules, RefusesWhatHasNoEffectAndWhatIsTooFew) {
  for (const char* option : {"--train-size", "--val-size", "--debug-dataset-size", "--held-out-seed"}) {
    EXPECT_EQ(train({option, "100"}).exit_code, 2) << option;
  }
  const Outcome without = place_.train(own_, run_, {"--ood-similarity", "0.5"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("without --ood"));
  const Outcome strict = train({"--strict"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.err, HasSubstr("own.csv:302"));
  EXPECT_FALSE(std::filesystem::exists(run_));
  const Outcome few = place_.train(place_.file("few.smi", "CCO\nCCN\n"), run_, {"--ood", others_});
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_THAT(few.err, HasSubstr("few.smi: has 2 distinct molecules"));
}

/// The plan equals the plan of the training that follows, and leaves no files.
TEST_F(OwnMolecules, MemoryPlanDrawsThemLikewise) {
  const std::vector<std::string> plan = {"memory", "plan", "train", own_, "--encoder", "ecfp", "--json"};
  std::vector<std::string> with = plan;
  with.insert(with.end(), {"--ood", others_});
  const Outcome outcome = molgauge(with);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto plans = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(run_));
  ASSERT_EQ(train().exit_code, 0);
  const auto stats = nlohmann::json::parse(read_file(run_ + "/training_stats.json"));
  EXPECT_EQ(plans[1]["items"], stats["memory_plans"][1]["items"]);
  with.insert(with.end(), {"--train-size", "100"});
  EXPECT_EQ(molgauge(with).exit_code, 2);
  std::vector<std::string> without = plan;
  without.insert(without.end(), {"--ood-similarity", "0.5"});
  EXPECT_EQ(molgauge(without).exit_code, 2);
}

TEST_F(OwnMolecules, TheNciMoleculesAreThereByName) {
  if (!std::filesystem::exists("/usr/share/RDKit/Data/NCI/first_5K.smi")) {
    GTEST_SKIP() << "Debian's rdkit-data is not installed";
  }
  const Outcome outcome = place_.train(own_, run_, {"--ood", "nci", "--epochs", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(OwnMolecules, ATrainingThatWasStillGettingBetterSaysSo) {
  const auto trained = [&](const char* epochs) {
    return place_.train(own_, run_, {"--ood", others_, "--epochs", epochs});
  };
  const Outcome first = trained("1");  // the best epoch is the last one
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err,
              AllOf(HasSubstr("was still improving when the training stopped"), HasSubstr("--epochs 2")));
  EXPECT_THAT(read_file(run_ + "/training.log"), HasSubstr("was still improving when the training stopped"));
  for (const char* epochs : {"2", "12"}) {
    const Outcome longer = trained(epochs);
    ASSERT_EQ(longer.exit_code, 0) << longer.err;
    EXPECT_THAT(longer.out, HasSubstr("(resumed)"));
    const auto stats = nlohmann::json::parse(read_file(run_ + "/training_stats.json"));
    const bool is_last = stats.at("best_epoch").get<int>() + 1 == stats.at("epochs_run").get<int>() &&
                         !stats.at("stopped_early").get<bool>();
    EXPECT_EQ(longer.err.find("was still improving when the training stopped") != std::string::npos, is_last);
  }
}

}  // namespace
}  // namespace molgauge::test
