// `headroom predict`.

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "core/atomic_file.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace headroom::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

/// Runs `headroom predict` with the store of a workplace.
Outcome predict(const Workplace& place, std::vector<std::string> words, const CommandOptions& options = {}) {
  words.insert(words.begin(), "predict");
  words.insert(words.end(), {"--store", place.path("store")});
  return headroom(words, options);
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(Predict, KeepsColumnsAndNamesFailures) {
  Workplace place;
  const std::string input = place.file("in.csv", "id,smiles,task_0\na,CCO,1\nb,C(C,2\nc,c1ccccc1,3\n");
  const std::string out = place.path("out.csv");
  const Outcome outcome = predict(place, {model("v2_regression.pt"), input, "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "id,smiles,task_0,task_0_2");
  EXPECT_THAT(lines[1], StartsWith("a,CCO,1,"));
  EXPECT_GT(lines[1].size(), std::string("a,CCO,1,").size());
  EXPECT_EQ(lines[2], "b,C(C,2,");
  EXPECT_THAT(read_file(place.path("out.failed.csv")), HasSubstr("3,C(C,"));
  EXPECT_THAT(outcome.err, HasSubstr("in.csv:3"));
}

TEST(Predict, TheStoreKeepsPredictionsOfTheSameModelAlone) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\nCCN\nCCO\n");
  const auto again = [&](const std::string& name, const std::string& out) {
    const Outcome outcome = predict(place, {model(name), input, "--out", place.path(out)});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(again("v2_regression.pt", "first.csv"), HasSubstr("2 predicted now"));
  EXPECT_THAT(again("v2_regression.pt", "again.csv"), HasSubstr("0 predicted now"));
  EXPECT_THAT(again("v2_regression_b.pt", "other.csv"), HasSubstr("2 predicted now"));
  EXPECT_EQ(read_file(place.path("first.csv")), read_file(place.path("again.csv")));
  EXPECT_NE(read_file(place.path("first.csv")), read_file(place.path("other.csv")));
}

TEST(Predict, ReadsStandardInput) {
  Workplace place;
  const std::string out = place.path("out.csv");
  CommandOptions piped;
  piped.stdin_text = "CCO ethanol\nC(\n";
  const Outcome outcome = predict(place, {model("v2_regression.pt"), "-", "--out", out}, piped);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], StartsWith("line,smiles,"));
  EXPECT_THAT(lines[0], testing::EndsWith(",task_0"));
  EXPECT_THAT(lines[1], StartsWith("1,CCO,ethanol,"));
  EXPECT_THAT(outcome.err, HasSubstr("-:2"));
}

TEST(Predict, WritesTheSpreadAndTheUncertaintyOfTheHead) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\n");
  const std::string folder = place.path("models");
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(model("v2_regression.pt"), folder + "/a.pt");
  std::filesystem::copy_file(model("v2_regression_b.pt"), folder + "/b.pt");
  const auto header = [&](const std::string& from) {
    const Outcome outcome = predict(place, {from, input, "--out", place.path("out.csv")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return lines_of(place.path("out.csv"))[0];
  };
  EXPECT_EQ(header(folder), "smiles,task_0,task_0_ensemble_std");
  EXPECT_EQ(header(model("v2_mve.pt")), "smiles,task_0,task_0_std,task_1,task_1_std");
  EXPECT_EQ(header(model("v2_evidential.pt")), "smiles,task_0,task_0_std,task_1,task_1_std");
  EXPECT_EQ(header(model("v2_quantile.pt")), "smiles,task_0,task_0_interval,task_1,task_1_interval");
  EXPECT_EQ(header(model("v2_binary_dirichlet.pt")),
            "smiles,task_0,task_0_uncertainty,task_1,task_1_uncertainty");
  EXPECT_EQ(header(model("v1_multiclass.pt")), "smiles,task_0_class_0,task_0_class_1,task_0_class_2");
  EXPECT_EQ(header(model("v2_lightning.ckpt")), "smiles,pred_0,pred_1");
}

TEST(Predict, RefusesWrongRequests) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\n");
  const auto refused = [&](const std::vector<std::string>& words, int exit_code, const std::string& reason) {
    const Outcome outcome = predict(place, words);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  };
  const std::string out = place.path("out.csv");
  refused({model("v2_regression.pt"), input, "--out", place.path("out.npy")}, 2, "ends in .csv");
  refused({model("v2_regression.pt"), input, "--out", out, "--device", "cuda"}, 2, "runs on the CPU");
  refused({place.path("absent.pt"), input, "--out", out}, 3, "no such file");
  refused({model("refused_command.pt"), input, "--out", out}, 3, "torch.load()");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace headroom::test
