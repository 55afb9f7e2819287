// Imports from the Python project: features, split caches, trained models, commands.

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "pickle_writer.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Rows = std::map<std::string, std::vector<float>>;

class Imports : public testing::Test {
 protected:
  Outcome import(const Rows& rows, const std::vector<std::string>& more = {}) {
    return import_file(place_.file("cache.pkl", feature_cache(rows)), more);
  }
  Outcome import_file(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"store", "import", file, "--store", place_.path("store"), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  Workplace place_;
};

TEST_F(Imports, RowsEndInASpaceOfTheirOwn) {
  const Outcome outcome = import({{"CCO", {1, 2}}, {"c1ccccc1", {3, 4}}}, {"--name", "old"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2 of 2 rows imported, with 2 features"));
  EXPECT_THAT(outcome.out, HasSubstr("--features imported:old"));
  EXPECT_THAT(molgauge({"store", "info", "--store", place_.path("store")}).out, HasSubstr("imported=old"));
  EXPECT_EQ(molgauge({"store", "verify", "--store", place_.path("store")}).exit_code, 0);
}

TEST_F(Imports, RowsOfWhatIsNoMoleculeAreLeftOut) {
  const Rows rows = {{"CCO", {1, 2}}, {"C1CC", {3, 4}}, {"CCN", {std::nanf(""), 1}}};
  const Outcome outcome = import(rows);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 of 3 rows imported"));
  EXPECT_THAT(outcome.err, HasSubstr("'C1CC': not a molecule, so its row is a placeholder"));
  EXPECT_THAT(outcome.err, HasSubstr("'CCN': its row has numbers that are not finite"));
  EXPECT_EQ(import(rows, {"--strict", "--name", "strict"}).exit_code, 3);
}

TEST_F(Imports, ARowThatContradictsStopsUnlessItIsToBeReplaced) {
  ASSERT_EQ(import({{"CCO", {1, 2}}}).exit_code, 0);
  EXPECT_EQ(import({{"CCO", {1, 2}}, {"CCN", {1, 1}}}).exit_code, 0);
  const Outcome refused = import({{"CCO", {1, 3}}});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("--replace"));
  EXPECT_EQ(import({{"CCO", {1, 3}}}, {"--replace"}).exit_code, 0);
  EXPECT_EQ(import({{"CCO", {1, 3}}}).exit_code, 0);
}

TEST_F(Imports, AHostileFileIsRefusedAndRunsNothing) {
  const std::string trace = place_.path("executed");
  const std::string command = "touch " + trace;
  std::string pickle = "\x80\2cos\nsystem\nX";
  pickle += static_cast<char>(command.size());
  pickle += std::string(3, '\0') + command + "\x85R.";
  const Outcome outcome = import_file(place_.file("hostile.pkl", pickle));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("hostile.pkl"));
  EXPECT_FALSE(std::filesystem::exists(trace));
  EXPECT_EQ(import({{"CCO", {1, 2}}}, {"--encoder", "unimol"}).exit_code, 3) << "the file says minimol";
  EXPECT_EQ(import({{"CCO", {1, 2}}}, {"--name", "no/name"}).exit_code, 2);
}

/// A benchmark, and rows of 4 numbers for all of its molecules.
class ImportedTraining : public Imports {
 protected:
  void SetUp() override {
    const Outcome split = place_.split(place_.nci_molecules(200), benchmark_);
    ASSERT_EQ(split.exit_code, 0) << split.err;
    const auto content = nlohmann::json::parse(read_file(benchmark_));
    Rows rows;
    for (const auto& [part, items] : content.at("split").items()) {
      for (const auto& item : items) {
        const auto size = static_cast<float>(rows.size() % 7);
        rows[item.at("smiles")] = {size, 1, part.starts_with("ood") ? 1.0f : 0.0f, 2};
      }
    }
    ASSERT_EQ(import(rows, {"--name", "python"}).exit_code, 0);
  }
  Outcome train(const std::string& run, const std::vector<std::string>& more,
                const std::string& features = "imported:python") {
    std::vector<std::string> words = {"train",      benchmark_, "--run",   place_.path(run),
                                      "--features", features,   "--store", place_.path("store"),
                                      "--epochs",   "3",        "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  std::string benchmark_ = place_.path("benchmark.json");
};

TEST_F(ImportedTraining, TrainsEvaluatesAndScoresOnImportedRows) {
  const Outcome trained = train("run", {});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(place_.evaluate(place_.path("run")).exit_code, 0);
  const Outcome scored =
      place_.score(place_.path("run"), place_.file("new.smi", "CCCCCCCCCCCCCCCCCCCCCCCCCN\n"));
  EXPECT_EQ(scored.exit_code, 3) << "a molecule without a row is not encoded in passing";
  EXPECT_THAT(scored.err, HasSubstr("no row among the imported features 'python'"));
  EXPECT_EQ(train("run", {"--restart"}, "imported:other").exit_code, 3);
  EXPECT_EQ(train("run2", {}, "anything").exit_code, 2);
  EXPECT_EQ(place_.score(place_.path("run"), place_.path("new.smi"), {"--features", "native"}).exit_code, 2);
}

TEST_F(ImportedTraining, ASplitCacheSaysWhichMoleculesAreUsed) {
  const auto split = nlohmann::json::parse(read_file(benchmark_)).at("split");
  const auto texts = [&](const char* part, std::size_t first, std::size_t count) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = first; i < first + count; ++i) {
      list.push_back(split.at(part).at(i).at("smiles"));
    }
    return list;
  };
  nlohmann::json cache = {{"metadata", {{"data_seed", 1}}},
                          {"splits",
                           {{"train_id", texts("train", 0, 5)},
                            {"train_ood", texts("ood_val", 0, 4)},
                            {"val_id", texts("iid_val", 0, 3)},
                            {"val_ood", texts("ood_val", 4, 3)},
                            {"test_id", texts("iid_test", 0, 2)},
                            {"test_ood", texts("ood_test", 0, 3)}}}};
  const std::string file = place_.file("splits.json", cache.dump(1));
  const Outcome trained = train("run", {"--splits-cache", file});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  // The log contains the warning. --quiet hides it only on the terminal.
  EXPECT_THAT(read_file(place_.path("run/training.log")), HasSubstr("drawn with data seed 1, not 42"));
  ASSERT_EQ(place_.evaluate(place_.path("run")).exit_code, 0);
  const auto results = nlohmann::json::parse(read_file(place_.path("run/test_metrics.json")));
  EXPECT_EQ(results.at("id_count"), 2);
  EXPECT_EQ(results.at("ood_count"), 3);
  EXPECT_EQ(train("run2", {"--splits-cache", file, "--train-size", "3"}).exit_code, 2);
  cache["splits"]["val_id"][0] = cache["splits"]["train_id"][0];
  EXPECT_EQ(train("run2", {"--splits-cache", place_.file("leaking.json", cache.dump())}).exit_code, 3);
}

TEST_F(ImportedTraining, AModelOfThePythonProjectIsApplied) {
  const std::string model = own_data("io/best_model.pth").string();
  const auto apply = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), {"--store", place_.path("store"), "--features", "imported:python"});
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  };
  const Outcome evaluated =
      apply({"evaluate", model, "--data", benchmark_}, {"--out", place_.path("results")});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_TRUE(std::filesystem::exists(place_.path("results/test_metrics.json")));
  EXPECT_EQ(apply({"score", model, place_.nci_molecules(200)}, {}).exit_code, 0);
  const Outcome lost = apply({"evaluate", model}, {"--data-path", place_.path("nowhere")});
  EXPECT_EQ(lost.exit_code, 3);
  EXPECT_THAT(lost.err, HasSubstr("nowhere/raw/lbap_general_ec50_size.json"));
  EXPECT_EQ(apply({"score", model, place_.path("nci200.smi")}, {"--encoder", "ecfp"}).exit_code, 2);
}

TEST(MigrateVerb, PrintsAScript) {
  const Outcome outcome = molgauge({"migrate", "python", "main.py", "--mode", "train", "--dataset", "lbap",
                                    "--output_dir", "a b", "--debug"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("# line 1: main.py\n#   "), 0u) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("\nmolgauge train lbap --run 'a b' --data-path data --epochs 50 "
                                     "--patience 10 --early-stopping reference\n"));
  const Workplace place;
  EXPECT_EQ(
      molgauge({"migrate", place.file("run.sh", "python main.py --mode eval --output_dir o\n")}).exit_code,
      0);
  EXPECT_EQ(molgauge({"migrate", "echo"}).exit_code, 3);
  EXPECT_EQ(molgauge({"migrate"}).exit_code, 2);
}

/// The verbs accept the files that migrate writes.
TEST(MigrateVerb, CounterpartsAreOptionsThatExist) {
  const std::map<char, std::string> helps = {{'t', molgauge({"train", "--help-all"}).out},
                                             {'v', molgauge({"evaluate", "--help-all"}).out},
                                             {'s', molgauge({"score", "--help-all"}).out},
                                             {'b', molgauge({"baseline", "--help-all"}).out},
                                             {'x', molgauge({"experiment", "--help-all"}).out}};
  std::istringstream table(molgauge({"migrate", "--options"}).out);
  std::size_t found = 0;
  for (std::string line; std::getline(table, line);) {
    const auto name = line.find("| `--", line.find("| `") + 1);
    if (name == std::string::npos) {
      continue;
    }
    const std::string option = line.substr(name + 3, line.find_first_of(" `", name + 3) - name - 3);
    const bool known = std::ranges::any_of(
        helps, [&](const auto& help) { return help.second.find(option) != std::string::npos; });
    EXPECT_TRUE(known) << line;
    ++found;
  }
  EXPECT_GE(found, 25u);
}

}  // namespace
}  // namespace molgauge::test
