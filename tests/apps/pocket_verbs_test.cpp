// Tests `molgauge pocket train`, `embed`, `search` and `evaluate` on the command line.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "budgets.h"
#include "pocket_set.h"

namespace molgauge::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

bool has_checkpoint(const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::directory_iterator files(folder, none), end;
  return !none &&
         std::any_of(files, end, [](const auto& file) { return file.path().extension() == ".safetensors"; });
}

class PocketVerbs : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return set_.path(name); }
  json json_in(const std::string& name) const { return json::parse(read_file(path(name))); }
  /// Runs `molgauge pocket VERB RUN GRAPHS ...`.
  Outcome use(const std::string& verb, const std::string& run, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"pocket", verb, path(run), set_.graphs()};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  std::vector<std::string> library(const std::string& out, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--ligands", set_.ligands(), "--out", path(out)});
    return more;
  }
  /// 1 - cosine of the rows of a pocket and a ligand.
  static double distance(const float* pocket, const float* ligand) {
    double product = 0, pocket_square = 0, ligand_square = 0;
    for (std::int64_t i = 0; i < PocketSet::kWidth; ++i) {
      product += static_cast<double>(pocket[i]) * ligand[i];
      pocket_square += static_cast<double>(pocket[i]) * pocket[i];
      ligand_square += static_cast<double>(ligand[i]) * ligand[i];
    }
    return 1 - product / std::sqrt(pocket_square * ligand_square);
  }

  const PocketSet set_;
};

TEST_F(PocketVerbs, TrainWritesTheFilesOfARun) {
  const Outcome trained = set_.train("run");
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("0 left out"));
  EXPECT_THAT(trained.out, HasSubstr(" of 2\n"));
  EXPECT_EQ(json_in("run/config.json").at("hidden_irreps"), "4x0e + 2x1o + 2x2e");
  EXPECT_EQ(json_in("run/config.json").at("output_dim"), PocketSet::kWidth);
  const json splits = json_in("run/splits.json");
  EXPECT_EQ(splits.at("train").size() + splits.at("val").size() + splits.at("test").size(),
            std::size_t{PocketSet::kComplexes} * PocketSet::kModels);
  EXPECT_FALSE(json_in("run/training_history.json").empty());
  EXPECT_FALSE(std::filesystem::exists(path("run/pockets_left_out.csv")));

  const Outcome report = molgauge({"report", path("run")});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const std::string page = read_file(path("run/report.html"));
  for (const char* part : {"Cosine with the ligand", "train / backward", "budget", "4x0e + 2x1o + 2x2e"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  const Outcome memory = molgauge({"memory", "report", path("run"), "--json"});
  ASSERT_EQ(memory.exit_code, 0) << memory.err;
  const json figures = json::parse(memory.out).at("train");
  EXPECT_GT(figures.at("peak_host_memory_bytes").at("train"), 0);
  EXPECT_GT(figures.at("memory_budget_bytes"), 0);
  EXPECT_EQ(figures.at("oom_recoveries"), 0);

  replace_file(path("run/training_stats.json"), "{}");
  EXPECT_EQ(molgauge({"report", path("run")}).exit_code, 3) << "a damaged file";
}

TEST_F(PocketVerbs, PocketsWithoutALigandsRowAreListed) {
  io::KeyedRows fewer = set_.rows();
  fewer.keys.pop_back();
  fewer.numbers.resize(fewer.numbers.size() - PocketSet::kWidth);
  io::write_keyed_rows(path("fewer.h5"), fewer);
  const Outcome trained = set_.train("run", {"--ligands", path("fewer.h5")});
  EXPECT_EQ(trained.exit_code, 2) << "an option that is given twice";
  const Outcome outcome = molgauge({"pocket", "train", set_.graphs(), "--ligands", path("fewer.h5"), "--run",
                                    path("run"), "--epochs", "1", "--hidden-irreps", "4x0e + 2x1o + 2x2e"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2 left out"));
  EXPECT_THAT(read_file(path("run/pockets_left_out.csv")), HasSubstr("9abc_L09_model1,no row of its ligand"));
}

/// The rows, matches and ranks that the verbs write agree with each other and with the distances to the
/// ligands.
TEST_F(PocketVerbs, EmbedSearchAndEvaluateAgree) {
  ASSERT_EQ(set_.train("run").exit_code, 0);
  const Outcome embedded = use("embed", "run", {"--out", path("pockets.h5")});
  ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
  EXPECT_THAT(embedded.out, HasSubstr("20 rows with 6 features"));
  const io::KeyedRows pockets = io::read_keyed_rows(path("pockets.h5"));
  ASSERT_EQ(pockets.keys.size(), 20U);
  const auto distance_of = [&](const std::string& pocket, const std::string& ligand) {
    return distance(pockets.row(pockets.find(pocket).value()),
                    set_.rows().row(set_.rows().find(ligand).value()));
  };

  const std::string pocket = "3abc_L03_model1";
  const Outcome searched =
      use("search", "run",
          library("one.json", {"--pocket", pocket, "--top-k", "10", "--page", path("one.html")}));
  ASSERT_EQ(searched.exit_code, 0) << searched.err;
  EXPECT_THAT(searched.out, HasSubstr("10 matches for 1 pocket among 10 ligands"));
  EXPECT_THAT(read_file(path("one.html")), HasSubstr(pocket));
  const json one = json_in("one.json");
  EXPECT_EQ(one.at("query"), pocket);
  double before = -1;
  for (const json& match : one.at("matches")) {
    const double found = match.at("distance");
    EXPECT_NEAR(found, distance_of(pocket, match.at("ligand_id")), 1e-6);
    EXPECT_GE(found, before);
    before = found;
  }
  ASSERT_EQ(use("search", "run/best_model.safetensors", library("all.json", {"--top-k", "1"})).exit_code, 0);
  const json all = json_in("all.json").at("queries");
  ASSERT_EQ(all.size(), 20U);
  EXPECT_EQ(all.at(7).at("query"), pocket);
  EXPECT_EQ(all.at(7).at("matches").at(0), one.at("matches").at(0));

  const Outcome evaluated = use("evaluate", "run", library("ranks.json", {"--page", path("ranks.html")}));
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.out, testing::Not(HasSubstr("nan")));
  EXPECT_THAT(read_file(path("ranks.html")), HasSubstr("mean reciprocal rank"));
  const json ranks = json_in("ranks.json"), tested = json_in("run/splits.json").at("test");
  EXPECT_EQ(ranks.at("num_samples"), tested.size());
  for (const json& prediction : ranks.at("predictions")) {
    const std::string name = prediction.at("pocket"), ligand = prediction.at("ligand");
    EXPECT_TRUE(name.starts_with(ligand)) << name;
    const double own = distance_of(name, ligand);
    const auto nearer =
        std::count_if(set_.rows().keys.begin(), set_.rows().keys.end(),
                      [&](const auto& other) { return other != ligand && distance_of(name, other) < own; });
    EXPECT_EQ(prediction.at("rank"), nearer + 1) << name;
  }
  EXPECT_EQ(use("evaluate", "run", library("all.json", {"--part", "all"})).exit_code, 0);
  EXPECT_EQ(json_in("all.json").at("num_samples"), 20);
}

/// The evaluation distinguishes pockets whose ligand was a training target from the other pockets. It
/// recognises the ligand by its code or by its row.
TEST_F(PocketVerbs, EvaluateTellsSeenFromUnseenLigands) {
  for (const char* end : {".prmtop", ".inpcrd"}) {  // another complex with the ligand L00
    std::filesystem::copy_file(path(std::string("amber/2abc_L02_model0_rna") + end),
                               path(std::string("amber/2xyz_L00_model0_rna") + end));
  }
  const Outcome built = molgauge({"pocket", "build", path("amber"), "--out", path("more"), "--quiet"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  io::KeyedRows library = set_.rows();
  const auto row = [&](std::size_t i) {
    return library.numbers.begin() + static_cast<std::ptrdiff_t>(i) * 6;
  };
  std::copy(row(3), row(4), row(7));  // complex 7 gets the row of a training ligand
  library.keys.emplace_back("2xyz_L00");
  library.numbers.insert(library.numbers.end(), {1, 2, 3, 4, 5, 6});
  io::write_keyed_rows(path("library.npz"), library);
  const std::string splits = set_.file(
      "splits.json",
      R"({"train": ["0abc_L00_model0", "3abc_L03_model0", "4abc_L04_model0"], "val": ["5abc_L05_model0"],
          "test": ["2xyz_L00_model0", "6abc_L06_model0", "6abc_L06_model1", "7abc_L07_model0", "8abc_L08_model0"]})");
  const Outcome trained = molgauge({"pocket", "train", path("more"), "--ligands", path("library.npz"),
                                    "--run", path("run"), "--splits", splits, "--epochs", "1",
                                    "--hidden-irreps", "4x0e + 2x1o + 2x2e", "--num-layers", "1"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  ASSERT_EQ(molgauge({"report", path("run")}).exit_code, 0);
  EXPECT_THAT(read_file(path("run/report.html")),
              AllOf(HasSubstr("Peak memory of each phase"), HasSubstr("pocket train: train, host"),
                    HasSubstr(", tensors"), HasSubstr(">tensors<")));
  const Outcome evaluated = molgauge({"pocket", "evaluate", path("run"), path("more"), "--ligands",
                                      path("library.npz"), "--out", path("ranks.json")});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const json ranks = json_in("ranks.json");
  const json &seen = ranks.at("seen_ligands"), &unseen = ranks.at("unseen_ligands");
  EXPECT_EQ(seen.at("pockets"), 2) << "complexes 2xyz (code) and 7abc (row)";
  EXPECT_EQ(seen.at("complexes"), 2);
  EXPECT_EQ(unseen.at("pockets"), 3);
  EXPECT_EQ(unseen.at("complexes"), 2) << "two models of complex 6 count as one";
  std::map<std::string, double> mid_rank;
  for (const json& prediction : ranks.at("predictions")) {
    mid_rank[prediction.at("pocket")] = prediction.at("mid_rank");
  }
  EXPECT_DOUBLE_EQ(seen.at("mean_rank").get<double>(),
                   (mid_rank.at("2xyz_L00_model0") + mid_rank.at("7abc_L07_model0")) / 2);
  EXPECT_DOUBLE_EQ(unseen.at("mean_rank").get<double>(),
                   ((mid_rank.at("6abc_L06_model0") + mid_rank.at("6abc_L06_model1")) / 2 +
                    mid_rank.at("8abc_L08_model0")) /
                       2);
}

/// Pockets outside the training part have larger charges. These charges must not affect the normalisation of
/// the features.
TEST_F(PocketVerbs, FeaturesAreNormalisedByTheTrainingPartAlone) {
  const std::string splits = set_.file(
      "splits.json", R"({"train": ["0abc_L00_model0", "1abc_L01_model0"], "val": ["8abc_L08_model0"],
                         "test": ["9abc_L09_model0"]})");
  ASSERT_EQ(set_.train("run", {"--splits", splits}).exit_code, 0);
  const json normalization = json_in("run/config.json").at("feature_normalization");
  // In PocketSet, a complex with the shift s has the charges 0.4, -0.6 - s, 0.5 + 2 s, 0.1 and -0.4 - s.
  // Their sum is 0.
  const auto squares = [](double s) {
    return 0.16 + (0.6 + s) * (0.6 + s) + (0.5 + 2 * s) * (0.5 + 2 * s) + 0.01 + (0.4 + s) * (0.4 + s);
  };
  EXPECT_NEAR(normalization.at("mean").at(0).get<double>(), 0, 1e-6);
  EXPECT_NEAR(normalization.at("std").at(0).get<double>(), std::sqrt((squares(0) + squares(0.05)) / 10),
              1e-5);
}

/// The process is killed after its first checkpoint, when more than ten epochs are left.
TEST_F(PocketVerbs, AKilledTrainingEndsWithTheSameBytes) {
  const std::string splits = set_.file(
      "splits.json", R"({"train": ["0abc_L00_model0", "3abc_L03_model0"], "val": ["5abc_L05_model0"]})");
  const std::vector<std::string> slowly = {"--epochs", "24",   "--save-every", "1",
                                           "--splits", splits, "--quiet"};
  ASSERT_EQ(set_.train("whole", slowly).exit_code, 0);
  CommandOptions once_kept;
  once_kept.kill_when = [&] { return has_checkpoint(path("killed/checkpoints")); };
  EXPECT_EQ(set_.train("killed", slowly, once_kept).signal, SIGKILL);
  const Outcome finished = set_.train("killed", slowly);
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  for (const char* file : {"best_model.safetensors", "training_history.json", "splits.json"}) {
    EXPECT_EQ(read_file(path(std::string("killed/") + file)), read_file(path(std::string("whole/") + file)))
        << file;
  }
}

TEST_F(PocketVerbs, WrongUsageIsRefusedBeforeAnythingIsWritten) {
  const auto expect_refused = [&](const Outcome& outcome, const char* reason) {
    EXPECT_EQ(outcome.exit_code, 2) << reason;
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  };
  expect_refused(set_.train("run", {"--cosine-weight", "0.5"}), "cosine_mse");
  expect_refused(set_.train("run", {"--angle-weight", "0.5"}), "--v3");
  expect_refused(set_.train("run", {"--pooling", "multihead"}), "--v3");
  expect_refused(set_.train("run", {"--train-ratio", "0.8", "--val-ratio", "0.4"}), "--val-ratio");
  expect_refused(set_.train("run", {"--device", "gpu"}), "--device");
  expect_refused(molgauge({"pocket", "train", set_.graphs(), "--ligands", set_.ligands(), "--run",
                           path("run"), "--hidden-irreps", "4x0o"}),
                 "hidden irreps 4x0o");
  expect_refused(molgauge({"pocket", "train", set_.graphs(), "--run", path("run")}), "--ligands");
  EXPECT_FALSE(std::filesystem::exists(path("run")));
  ASSERT_EQ(set_.train("run").exit_code, 0);
  expect_refused(use("embed", "run", {"--out", path("rows.csv")}), "rows.csv");
  expect_refused(use("search", "run", library("found.json", {"--metric", "manhattan"})), "--metric");
  expect_refused(use("search", "run", library("found.json", {"--top-k", "0"})), "--top-k");
  expect_refused(use("evaluate", "run", library("ranks.json", {"--recall-k", "1,,5"})), "--recall-k");
  expect_refused(use("evaluate", "run", library("ranks.json", {"--recall-k", "1.5"})), "--recall-k");
  expect_refused(use("evaluate", "run", library("ranks.json", {"--top-percentages", "500"})),
                 "--top-percentages");
  for (const char* file : {"rows.csv", "found.json", "ranks.json"}) {
    EXPECT_FALSE(std::filesystem::exists(path(file))) << file;
  }
}

TEST_F(PocketVerbs, BadInputIsRefusedByFileAndReason) {
  const auto expect_refused = [&](const Outcome& outcome, const char* file, const char* reason) {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(file));
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  };
  const auto train_with = [&](const std::string& graphs, const std::string& ligands) {
    return molgauge({"pocket", "train", path(graphs), "--ligands", path(ligands), "--run", path("run")});
  };
  set_.file("broken.npz", "no archive");
  set_.file("others.json", R"({"train": ["gone_model0"], "val": ["3abc_L03_model0"]})");
  set_.file("shared.json", R"({"train": ["3abc_L03_model0"], "val": ["3abc_L03_model1"]})");
  io::write_keyed_rows(path("strangers.npz"), {{"9xyz_NON"}, 2, {1, 2}});
  expect_refused(train_with("amber", "ligands.npz"), "amber", "manifest.json");
  expect_refused(train_with("graphs", "gone.npz"), "gone.npz", "");
  expect_refused(train_with("graphs", "broken.npz"), "broken.npz", "");
  expect_refused(train_with("graphs", "strangers.npz"), "strangers.npz", "0abc_L00");
  expect_refused(set_.train("run", {"--splits", path("others.json")}), "others.json", "no pockets are left");
  expect_refused(set_.train("run", {"--splits", path("shared.json")}), "shared.json", "3abc_L03");
  EXPECT_FALSE(std::filesystem::exists(path("run")));

  ASSERT_EQ(set_.train("run").exit_code, 0);
  expect_refused(set_.train("run", {"--lr", "0.01"}), "last.safetensors", "learning_rate");
  expect_refused(use("search", "run", library("found.json", {"--pocket", "gone"})), "graphs",
                 "no pocket gone");
  expect_refused(use("search", "graphs", library("found.json")), "graphs", "best_model.safetensors");
  expect_refused(use("search", "run", {"--ligands", path("strangers.npz"), "--out", path("found.json")}),
                 "strangers.npz", "2");
  expect_refused(use("evaluate", "run", library("ranks.json", {"--splits", path("others.json")})),
                 "others.json", "test");
  replace_file(path("run/best_model.safetensors"), "no model");
  expect_refused(use("embed", "run", {"--out", path("rows.h5")}), "best_model.safetensors", "");
  for (const char* file : {"rows.h5", "found.json", "ranks.json"}) {
    EXPECT_FALSE(std::filesystem::exists(path(file))) << file;
  }
}

TEST_F(PocketVerbs, ABudgetThatIsTooSmallNamesOneThatWillDo) {
  if (is_instrumented()) {
    GTEST_SKIP() << "resident memory is the sanitizer's";
  }
  ASSERT_EQ(set_.train("free").exit_code, 0);
  const Outcome refused = set_.train("run", {"--memory-budget", "20MiB"});
  ASSERT_EQ(refused.exit_code, 4) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(path("run"))) << "a refused request leaves nothing behind";
  const std::uint64_t named = named_budget(refused.err);
  ASSERT_GT(named, 0U) << refused.err;
  const Outcome trained = set_.train("run", {"--memory-budget", mebibytes(named)});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_LE(static_cast<double>(highest_bytes(trained)),
            kBudgetTolerance * static_cast<double>(named * kMebibyte));
  EXPECT_EQ(read_file(path("run/best_model.safetensors")), read_file(path("free/best_model.safetensors")));
  const Outcome search_refused = use("search", "run", library("found.json", {"--memory-budget", "10MiB"}));
  ASSERT_EQ(search_refused.exit_code, 4) << search_refused.err;
  const std::uint64_t enough = named_budget(search_refused.err);
  ASSERT_GT(enough, 0U) << search_refused.err;
  const Outcome searched =
      use("search", "run", library("found.json", {"--memory-budget", mebibytes(enough)}));
  EXPECT_EQ(searched.exit_code, 0) << searched.err;
}

/// The plan names the same budget as the training, and the training stays within it.
TEST_F(PocketVerbs, MemoryPlanSaysWhatTheTrainingTakes) {
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"memory",          "plan",
                                      "pocket",          set_.graphs(),
                                      "--ligands",       set_.ligands(),
                                      "--hidden-irreps", "4x0e + 2x1o + 2x2e",
                                      "--num-layers",    "1",
                                      "--batch-size",    "4",
                                      "--threads",       "2"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  };
  const Outcome planned = plan({});
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("train a pocket encoder"));
  EXPECT_THAT(planned.out, HasSubstr("checkpointing"));
  const Outcome as_json = plan({"--json"});
  const json phases = json::parse(as_json.out);
  ASSERT_EQ(phases.size(), 1U);
  EXPECT_EQ(phases.at(0).at("work"), "train a pocket encoder");
  EXPECT_EQ(plan({"--memory-budget", "20MiB"}).exit_code, 4);
  EXPECT_EQ(plan({"--cosine-weight", "1"}).exit_code, 2) << "memory does not depend on it";
}

TEST_F(PocketVerbs, ARunFolderOfAnotherProcessIsLeftAlone) {
  std::filesystem::create_directories(path("run"));
  const FolderLock lock(path("run"));
  const Outcome outcome = set_.train("run");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("another process"));
  for (const char* file : {"config.json", "splits.json", "training_history.json", "checkpoints"}) {
    EXPECT_FALSE(std::filesystem::exists(path(std::string("run/") + file))) << file;
  }
}

/// Random weights of a small Uni-Mol. Its rows are as wide as its tokens.
TEST(PocketLigands, TakeAnEncoderOfAnotherSize) {
  const Workplace place;
  const std::string compounds = place.file("compounds.csv", "id,canonical_smiles\nETH,CCO\nBNZ,c1ccccc1\n");
  const Outcome drawn =
      molgauge({"weights", "init", "unimol", "--seed", "1", "--layers", "2", "--width", "32", "--hidden",
                "48", "--heads", "8", "--kernels", "16", "--weights", place.path("weights")});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"pocket",
                                      "ligands",
                                      compounds,
                                      "--out",
                                      place.path("ligands.h5"),
                                      "--weights",
                                      place.path("weights"),
                                      "--store",
                                      place.path("store")};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  };
  EXPECT_NE(run({}).exit_code, 0) << "random weights are asked for by name";
  const Outcome outcome = run({"--random-weights"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const io::KeyedRows rows = io::read_keyed_rows(place.path("ligands.h5"));
  EXPECT_THAT(rows.keys, testing::ElementsAre("BNZ", "ETH"));
  EXPECT_EQ(rows.width, 32);
}

}  // namespace
}  // namespace molgauge::test
