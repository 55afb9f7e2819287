// Tests `molgauge domain --model` with a chemprop model.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "file_opens.h"
#include "page_data.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class DomainModelTest : public testing::Test {
 protected:
  static std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

  /// A table of `count` molecules with a measured value y.
  std::string table(const std::string& name, std::size_t first, std::size_t count) const {
    const std::vector<std::string> rings = {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1"};
    const std::vector<std::string> ends = {"O", "N", "C(=O)O", "C#N", "Cl", "F"};
    std::string text = "id,smiles,y\n";
    for (std::size_t i = first; i < first + count; ++i) {
      const std::string chain(1 + i / 30, 'C');
      text += "m" + std::to_string(i) + "," + rings[i % 5] + chain + ends[i / 5 % 6] + "," +
              std::to_string((i * 7 % 11) / 3.0) + "\n";
    }
    return place_.file(name, text);
  }

  Outcome run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", place_.path("store"), "--log-level", "warn"});
    return molgauge(words);
  }

  std::vector<std::string> cells(const std::string& file, const std::string& column) const {
    io::CsvReader reader(place_.path(file), ',');
    const auto columns = reader.next()->fields;
    const auto found = std::find(columns.begin(), columns.end(), column) - columns.begin();
    EXPECT_LT(found, static_cast<std::ptrdiff_t>(columns.size())) << column;
    std::vector<std::string> result;
    while (const auto row = reader.next()) {
      result.push_back(row->fields.at(static_cast<std::size_t>(found)));
    }
    return result;
  }

  Workplace place_;
  std::string train_ = table("train.csv", 0, 150);
  std::string calibration_ = table("cal.csv", 150, 60);
  std::string candidates_ = table("candidates.csv", 200, 40);
};

TEST_F(DomainModelTest, AddsThePredictionsOfTheModel) {
  const std::string out = place_.path("domain.csv"), predictions = place_.path("predictions.csv");
  // The temporary folder of a process that was killed.
  std::filesystem::create_directories(place_.path("store/predictions-a1B2c3"));
  replace_file(place_.path("store/predictions-a1B2c3/candidates.csv"), "smiles");
  const Outcome outcome =
      run({"domain", train_, candidates_, "--model", model("v2_regression.pt"), "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(run({"predict", model("v2_regression.pt"), candidates_, "--out", predictions}).exit_code, 0);
  EXPECT_EQ(cells("domain.csv", "predicted_task_0"), cells("predictions.csv", "task_0"));
  EXPECT_EQ(cells("domain.csv", "id"), cells("candidates.csv", "id"));
  EXPECT_THAT(read_file(out), Not(HasSubstr("prediction_lower")));
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("store"))) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("predictions-")));
  }
}

TEST_F(DomainModelTest, CalibrationMoleculesThatTheModelHasSeenAreLeftOut) {
  const auto calibrated = [&](const std::string& calibration, const std::string& out) {
    return run({"domain", train_, candidates_, "--model", model("v2_regression.pt"), "--calibration",
                calibration, "--label-column", "y", "--out", place_.path(out)});
  };
  ASSERT_EQ(calibrated(calibration_, "own.csv").exit_code, 0);
  const Outcome mixed = calibrated(table("mixed.csv", 130, 80), "mixed_out.csv");
  ASSERT_EQ(mixed.exit_code, 0) << mixed.err;
  EXPECT_THAT(mixed.err, HasSubstr("20 training molecules are left out of the calibration"));
  EXPECT_EQ(cells("mixed_out.csv", "prediction_lower"), cells("own.csv", "prediction_lower"));
  const Outcome none = calibrated(table("seen.csv", 100, 29), "none.csv");
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("all 29 calibration molecules are training molecules"));
}

TEST_F(DomainModelTest, FormsOfAMoleculeGetOnePredictionOneIntervalAndOneVerdict) {
  // Procainamide, its hydrochloride with charges and without, a hydrate and a sulfate.
  const std::string candidates =
      place_.file("forms.csv",
                  "smiles\nCCN(CC)CCNC(=O)c1ccc(N)cc1\nCC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[Cl-]\n"
                  "Cl.CCN(CC)CCNC(=O)c1ccc(N)cc1\nO.CCN(CC)CCNC(=O)c1ccc(N)cc1\n"
                  "CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[O-]S(=O)(=O)[O-]\n");
  const auto judge = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"domain",
                                      train_,
                                      candidates,
                                      "--model",
                                      model("v2_mve.pt"),
                                      "--calibration",
                                      calibration_,
                                      "--label-column",
                                      "y",
                                      "--prediction-column",
                                      "task_0",
                                      "--out",
                                      place_.path("domain.csv")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(judge({}), HasSubstr("The model predicts the parent of each molecule (neutral, without "
                                   "counter-ions), which verdicts are also about. For 4 of 5 candidates, it "
                                   "differs from the drawing."));
  for (const char* const column : {"predicted_task_0", "predicted_task_0_std", "prediction_lower",
                                   "prediction_upper", "prediction_expected_error", "domain_p_value"}) {
    const auto values = cells("domain.csv", column);
    for (const std::string& value : values) {
      EXPECT_NEAR(std::stod(value), std::stod(values[0]), 1e-4) << column;
    }
  }
  EXPECT_THAT(cells("domain.csv", "domain"), testing::Each(cells("domain.csv", "domain")[0]));
  const auto form = [&] {
    return nlohmann::json::parse(read_file(place_.path("domain.json")))["method"]["predicted_form"];
  };
  EXPECT_EQ(form(), "parent");
  EXPECT_THAT(read_file(place_.path("domain.html")), HasSubstr("Form that the model predicts"));

  // With --as-drawn, the predictions belong to the drawings.
  EXPECT_THAT(judge({"--as-drawn"}), HasSubstr("The model predicts the molecules as drawn (--as-drawn), but "
                                               "verdicts are about the parent of each molecule"));
  EXPECT_EQ(form(), "none");
  const auto drawn = cells("domain.csv", "predicted_task_0");
  EXPECT_GT(std::abs(std::stod(drawn[1]) - std::stod(drawn[0])), 1e-3);
  ASSERT_EQ(
      run({"predict", model("v2_mve.pt"), candidates, "--out", place_.path("predictions.csv")}).exit_code, 0);
  EXPECT_EQ(drawn, cells("predictions.csv", "task_0"));
  judge({"--standardize", "none"});
  EXPECT_EQ(cells("domain.csv", "predicted_task_0"), drawn);
}

TEST_F(DomainModelTest, ASavedDomainKeepsTheFormThatTheModelPredicts) {
  const std::string candidates = place_.file("forms.csv", "smiles\nCCN\nCC[NH3+].[Cl-]\n");
  const std::string saved = place_.path("saved"), out = place_.path("domain.csv");
  for (const bool as_drawn : {false, true}) {
    std::vector<std::string> words = {"domain", train_, candidates, "--model", model("v2_regression.pt"),
                                      "--save", saved,  "--out",    out};
    if (as_drawn) {
      words.push_back("--as-drawn");
    }
    ASSERT_EQ(run(words).exit_code, 0);
    const auto predicted = cells("domain.csv", "predicted_task_0");
    EXPECT_EQ(std::abs(std::stod(predicted[0]) - std::stod(predicted[1])) < 1e-4, !as_drawn);
    ASSERT_EQ(run({"domain", saved, candidates, "--out", place_.path("again.csv")}).exit_code, 0);
    EXPECT_EQ(cells("again.csv", "predicted_task_0"), predicted);
  }
  const Outcome fixed = run({"domain", saved, candidates, "--as-drawn", "--out", out});
  EXPECT_EQ(fixed.exit_code, 2);
  EXPECT_THAT(fixed.err, HasSubstr("--as-drawn has no effect on the saved domain"));
}

TEST_F(DomainModelTest, ComparesInTheLearnedFeatures) {
  const std::string first = place_.path("a.csv"), second = place_.path("b.csv");
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", model("v2_regression.pt"), "--method", "knn",
                 "--out", first})
                .exit_code,
            0);
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", model("v2_regression_b.pt"), "--method", "knn",
                 "--out", second})
                .exit_code,
            0);
  EXPECT_NE(cells("a.csv", "domain_distance"), cells("b.csv", "domain_distance"));
}

TEST_F(DomainModelTest, CalibratesIntervalsOnMoleculesThatTheModelHasNotSeen) {
  const std::string out = place_.path("domain.csv"), saved = place_.path("saved");
  const Outcome outcome =
      run({"domain", train_, candidates_, "--model", model("v2_mve.pt"), "--calibration", calibration_,
           "--label-column", "y", "--prediction-column", "task_0", "--out", out, "--save", saved});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto low = cells("domain.csv", "prediction_lower"),
             predicted = cells("domain.csv", "predicted_task_0"),
             high = cells("domain.csv", "prediction_upper");
  for (std::size_t i = 0; i < low.size(); ++i) {
    EXPECT_LT(std::stod(low[i]), std::stod(predicted[i]));
    EXPECT_LT(std::stod(predicted[i]), std::stod(high[i]));
  }
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  EXPECT_EQ(json["predictions"]["columns"]["uncertainty"], "predicted_task_0_std") << json["predictions"];
  EXPECT_FALSE(data_of(read_file(place_.path("domain.html"))).at("rows").empty());

  // The saved folder contains the model and the calibration. It gives identical results after the original
  // file of the model was removed.
  const std::string again = place_.path("again.csv");
  ASSERT_EQ(run({"domain", saved, candidates_, "--out", again}).exit_code, 0);
  EXPECT_EQ(read_file(out), read_file(again));
  const Outcome other_task =
      run({"domain", saved, candidates_, "--prediction-column", "task_1", "--out", again});
  EXPECT_EQ(other_task.exit_code, 2);
  EXPECT_THAT(other_task.err, HasSubstr("was calibrated for predicted_task_0"));
  replace_file(place_.path("saved/other.pt"), "no model of this domain");
  const Outcome foreign = run({"domain", saved, candidates_, "--out", again});
  EXPECT_EQ(foreign.exit_code, 3);
  EXPECT_THAT(foreign.err, HasSubstr("other.pt: is not a file of the saved domain"));
  std::filesystem::remove(place_.path("saved/other.pt"));
  // The model in the saved folder can also be used for other domains.
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", model("v2_mve.pt"), "--out", out}).exit_code, 0);
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", saved, "--out", again}).exit_code, 0);
  EXPECT_EQ(read_file(out), read_file(again));
  replace_file(place_.path("saved/model_0000.pt"), "another file");
  const Outcome damaged = run({"domain", saved, candidates_, "--out", again});
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("model_0000.pt"));
  replace_file(place_.path("saved/model_0000.pt"), read_file(model("v2_regression.pt")));
  const Outcome refitted = run({"domain", train_, candidates_, "--model", saved, "--out", again});
  EXPECT_EQ(refitted.exit_code, 3);
  EXPECT_THAT(refitted.err, HasSubstr("model_0000.pt: is not the file that was saved"));
  // A domain of a published encoder is refused.
  ASSERT_EQ(
      run({"domain", train_, candidates_, "--encoder", "ecfp", "--out", out, "--save", place_.path("ecfp")})
          .exit_code,
      0);
  const Outcome plain = run({"domain", train_, candidates_, "--model", place_.path("ecfp"), "--out", again});
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.err,
              HasSubstr("was saved with the encoder ecfp. Leave --model out and add --encoder ecfp"));
}

TEST_F(DomainModelTest, ReadsEachModelFileOnce) {
  const std::string file = place_.path("own.pt"), out = place_.path("domain.csv");
  std::filesystem::copy_file(model("v2_mve.pt"), file);
  const FileOpens opens(file);
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", file, "--calibration", calibration_,
                 "--label-column", "y", "--prediction-column", "task_0", "--out", out})
                .exit_code,
            0);
  EXPECT_EQ(opens.count(), 1);
  const std::string saved = place_.path("saved");
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", file, "--save", saved, "--out", out}).exit_code,
            0);
  EXPECT_EQ(opens.count(), 2);  // the file is opened again to copy it into the folder
  const FileOpens opens_of_copy(saved + "/model_0000.pt");
  ASSERT_EQ(run({"domain", saved, candidates_, "--out", out}).exit_code, 0);
  EXPECT_EQ(opens_of_copy.count(), 1);
}

TEST_F(DomainModelTest, PassesDescriptorsToTheModel) {
  std::string text = "smiles,a,c\n";
  for (const std::string& smiles : cells("candidates.csv", "smiles")) {
    text += smiles + "," + std::to_string(smiles.size() / 7.0) + ",-2\n";
  }
  const std::string candidates = place_.file("described.csv", text), out = place_.path("domain.csv");
  const std::vector<std::string> words = {
      "domain", train_, candidates, "--model", model("v2_unscaled_descriptors.ckpt"), "--out", out};
  const Outcome missing = run(words);
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--descriptor-columns a,b,c"));
  std::vector<std::string> with = words;
  with.insert(with.end(), {"--descriptor-columns", "a,c"});
  const Outcome outcome = run(with);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(run({"predict", model("v2_unscaled_descriptors.ckpt"), candidates, "--descriptor-columns", "a,c",
                 "--out", place_.path("predictions.csv")})
                .exit_code,
            0);
  EXPECT_EQ(cells("domain.csv", "predicted_pred_0"), cells("predictions.csv", "pred_0"));
  const Outcome alone =
      run({"domain", train_, candidates, "--encoder", "ecfp", "--descriptor-columns", "a,c", "--out", out});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--descriptor-columns has no effect without a chemprop model"));
}

TEST_F(DomainModelTest, ThePageShowsPredictionsWithoutCalibration) {
  const std::string out = place_.path("domain.csv");
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", model("v2_mve.pt"), "--out", out}).exit_code, 0);
  const auto data = data_of(read_file(place_.path("domain.html")));
  ASSERT_EQ(data.at("facts").size(), 2U);
  EXPECT_EQ(data.at("facts").at(1).at("name"), "predicted task_1");
  EXPECT_THAT(data.at("facts").at(1).at("meaning").get<std::string>(), HasSubstr("standard deviation"));
  const auto columns = data.at("columns").get<std::vector<std::string>>();
  const auto place = [&](const std::string& column) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
  };
  std::map<std::string, std::pair<double, double>> expected;
  const auto smiles = cells("domain.csv", "smiles"), value = cells("domain.csv", "predicted_task_1"),
             deviation = cells("domain.csv", "predicted_task_1_std");
  const auto names = cells("domain.csv", "id");
  for (std::size_t i = 0; i < names.size(); ++i) {
    expected[names[i]] = {std::stod(value[i]), std::stod(deviation[i])};
  }
  ASSERT_EQ(data.at("rows").size(), names.size());
  for (const auto& row : data.at("rows")) {
    const std::string fact = row.at(place("facts")).at(1);
    const auto& [mean, spread] = expected.at(row.at(place("name")));
    std::size_t end = 0;
    EXPECT_NEAR(std::stod(fact, &end), mean, 1e-3 * std::abs(mean));
    const std::string before = " (uncertainty ";
    ASSERT_EQ(fact.substr(end, before.size()), before) << fact;
    EXPECT_NEAR(std::stod(fact.substr(end + before.size())), spread, 1e-3 * spread);
  }

  std::filesystem::create_directories(place_.path("models"));
  std::filesystem::copy_file(model("v2_regression.pt"), place_.path("models/a.pt"));
  std::filesystem::copy_file(model("v2_regression_b.pt"), place_.path("models/b.pt"));
  ASSERT_EQ(run({"domain", train_, candidates_, "--model", place_.path("models"), "--out", out}).exit_code,
            0);
  const auto ensemble = data_of(read_file(place_.path("domain.html")));
  EXPECT_THAT(ensemble.at("rows").at(0).at(place("facts")).at(0).get<std::string>(), HasSubstr(" ± "));
}

TEST_F(DomainModelTest, ASplitOfTheTrainingFileCalibrates) {
  // The same molecules in one file with a split, and in two files.
  std::string marked = "id,smiles,y,split\n", rest = "id,smiles,y\n", held_out = "id,smiles,y\n";
  std::istringstream rows(read_file(train_));
  std::string row;
  std::getline(rows, row);
  for (std::size_t i = 0; std::getline(rows, row); ++i) {
    const bool is_held_out = i % 3 == 0;
    marked += row + (is_held_out ? ", cal\n" : ",train\n");
    (is_held_out ? held_out : rest) += row + "\n";
  }
  const std::string split = place_.file("split.csv", marked), training = place_.file("rest.csv", rest),
                    calibration = place_.file("held_out.csv", held_out);
  const auto words = [&](const std::string& train, const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> all = {
        "domain",         train, candidates_,           "--model", model("v2_mve.pt"),
        "--label-column", "y",   "--prediction-column", "task_0",  "--out",
        place_.path(out)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Outcome one = run(words(split, "one.csv", {"--calibration-split", "split=cal"}));
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const Outcome two = run(words(training, "two.csv", {"--calibration", calibration}));
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(cells("one.csv", "domain_p_value"), cells("two.csv", "domain_p_value"));
  EXPECT_EQ(cells("one.csv", "prediction_lower"), cells("two.csv", "prediction_lower"));
  EXPECT_NE(cells("one.csv", "prediction_lower").at(0), "");
  EXPECT_EQ(cells("one.csv", "nearest_1_name"), cells("two.csv", "nearest_1_name"));

  const auto refused = [&](const std::string& value, int exit_code, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--calibration-split", value});
    const Outcome outcome = run(words(split, "three.csv", more));
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refused("split", 2), HasSubstr("is not COLUMN=VALUE"));
  EXPECT_THAT(refused("split=test", 3), HasSubstr("no row has 'test' in the column split"));
  EXPECT_THAT(refused("split=test", 3), HasSubstr("Available: cal, train"));
  EXPECT_THAT(refused("spilt=cal", 3), HasSubstr("split"));
  EXPECT_THAT(refused("split=cal", 2, {"--calibration", calibration}), HasSubstr("--calibration"));
  const Outcome without = run({"domain", split, candidates_, "--encoder", "ecfp", "--label-column", "y",
                               "--calibration-split", "split=cal", "--out", place_.path("three.csv")});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("--calibration-split has no effect without calibrated predictions"));
}

TEST_F(DomainModelTest, MemoryPlanNamesThePredictions) {
  const Outcome outcome = molgauge(
      {"memory", "plan", "domain", train_, candidates_, "--model", model("v2_regression.pt"), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto plans = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(plans.size(), 4U);
  EXPECT_EQ(plans[0]["work"], "predict with chemprop, the candidates");
  EXPECT_EQ(plans[0]["items"], 40);
  for (const auto& plan : plans) {
    EXPECT_EQ(plan["smallest_process_budget_bytes"], plans[0]["smallest_process_budget_bytes"]);
  }
}

TEST_F(DomainModelTest, EveryFormatOfCandidatesKeepsItsColumnsAndLines) {
  const std::string list = place_.file("list.smi", "CCO ethanol\njunk\n\nc1ccccc1CCO second\n");
  const std::string out = place_.path("domain.csv");
  const Outcome outcome = run({"domain", train_, list, "--model", model("v2_regression.pt"), "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("list.smi:2"));
  EXPECT_THAT(cells("domain.csv", "name"), testing::ElementsAre("ethanol", "", "second"));
  const auto predicted = cells("domain.csv", "predicted_task_0");
  EXPECT_NE(predicted[0], "");
  EXPECT_EQ(predicted[1], "");
  EXPECT_NE(predicted[2], "");
}

/// Each component of a mixture is a part. Without one, the model predicts the value of the other component.
/// Another drawing of a molecule has the same contributions.
TEST_F(DomainModelTest, ContributionsAreTheChangeOfThePredictionWithoutAPart) {
  std::string many_amides = "C";
  for (int i = 0; i < 60; ++i) {
    many_amides += "CC(=O)N";
  }
  const std::string list = place_.file("list.csv",
                                       "smiles\nc1ccccc1.CCO\nCCO.c1ccccc1\nc1ccccc1\nCCO\n"
                                       "CC(=O)Oc1ccccc1C(=O)O\nOC(=O)c1ccccc1OC(C)=O\nnonsense\n" +
                                           many_amides + "\n");
  const Outcome outcome = run({"domain", train_, list, "--model", model("v2_mve.pt"), "--as-drawn",
                               "--contributions", "--out", place_.path("domain.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto data = data_of(read_file(place_.path("domain.html")));
  EXPECT_EQ(data["contributed"], nlohmann::json({"task_0", "task_1"}));
  const auto column = [&](const char* name) {
    const auto& columns = data["columns"];
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  };
  std::map<std::size_t, nlohmann::json> drawings;
  for (const auto& row : data["rows"]) {
    drawings[row[column("position")]] = row[column("contributions")];
  }
  const auto predicted = [&](std::size_t row) {
    return std::stod(cells("domain.csv", "predicted_task_1")[row]);
  };
  const auto& changes = drawings[0][2][1];
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(drawings[0][1], nlohmann::json({0, 0, 0, 0, 0, 0, 1, 1, 1}));
  const double largest = std::abs(predicted(0)) * 1e-3 + 1e-3;  // the page has three digits
  EXPECT_NEAR(changes[0].get<double>(), predicted(0) - predicted(3), largest);
  EXPECT_NEAR(changes[1].get<double>(), predicted(0) - predicted(2), largest);
  for (const auto& [one, other] : {std::pair{0, 1}, std::pair{4, 5}}) {
    std::vector<double> of_one = drawings[one][2][0], of_other = drawings[other][2][0];
    std::sort(of_one.begin(), of_one.end());
    std::sort(of_other.begin(), of_other.end());
    EXPECT_EQ(of_one, of_other);
  }
  EXPECT_EQ(drawings[4][2][0].size(), 4U);
  EXPECT_TRUE(drawings[2].is_null());  // one part
  EXPECT_TRUE(drawings[6].is_null());
  EXPECT_TRUE(drawings[7].is_null());  // 241 atoms
}

TEST_F(DomainModelTest, AFolderThatIsNeitherAModelNorARunIsRefused) {
  const Outcome outcome =
      run({"domain", train_, candidates_, "--model", place_.path("."), "--out", place_.path("d.csv")});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("is neither a model of chemprop nor a run folder"));
}

TEST_F(DomainModelTest, WrongRequestsAreRefused) {
  const std::string out = place_.path("domain.csv");
  const auto refusal = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"domain", train_, candidates_, "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--model", model("v2_regression.pt"), "--label-column", "y"}),
              HasSubstr("Add --calibration with molecules that the model has not seen"));
  EXPECT_THAT(refusal({"--model", model("v2_mve.pt"), "--calibration", calibration_, "--label-column", "y"}),
              HasSubstr("--prediction-column: task_0, task_1"));
  EXPECT_THAT(refusal({"--model", model("v2_multiclass.pt"), "--calibration", calibration_, "--label-column",
                       "y", "--prediction-column", "task_0_class_0"}),
              HasSubstr("several classes"));
  EXPECT_THAT(refusal({"--model", model("v2_regression.pt"), "--encoder", "ecfp"}), HasSubstr("--encoder"));
  EXPECT_THAT(refusal({"--model", model("v2_regression.pt"), "--coverage", "0.8"}),
              HasSubstr("--coverage has no effect without calibrated predictions"));
  EXPECT_THAT(refusal({"--encoder", "ecfp", "--calibration", calibration_, "--label-column", "y"}),
              HasSubstr("--calibration has no effect without calibrated predictions"));
  EXPECT_THAT(refusal({"--model", model("v2_regression.pt"), "--device", "cuda"}), HasSubstr("on the CPU"));
  EXPECT_THAT(refusal({"--encoder", "ecfp", "--contributions"}),
              HasSubstr("--contributions has no effect without a chemprop model"));
  EXPECT_THAT(refusal({"--model", model("v2_multiclass.pt"), "--contributions"}),
              HasSubstr("more than two classes"));
  EXPECT_THAT(refusal({"--encoder", "ecfp", "--as-drawn"}),
              HasSubstr("--as-drawn has no effect without a chemprop model"));
  EXPECT_THAT(refusal({"--model", model("v2_regression.pt"), "--standardize", "none", "--as-drawn"}),
              HasSubstr("--as-drawn has no effect with --standardize none"));
}

}  // namespace
}  // namespace molgauge::test
