// Tests that --conservative changes how the work is done, but not the results. The files must be
// bit-identical.

#include <gmock/gmock.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

class Conservative : public testing::Test {
 protected:
  Conservative() {
    const Outcome made = place_.split(place_.nci_table(200), benchmark_, {"--label-column", "odd"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
  }

  /// Runs a verb twice: as usual in the folder `usual`, and with --conservative in the folder `careful`. Each
  /// folder has a separate store.
  void run_both(const std::function<std::vector<std::string>(const std::string& folder)>& words) {
    for (const std::string folder : {"usual", "careful"}) {
      std::filesystem::create_directories(place_.path(folder));
      std::vector<std::string> all = words(place_.path(folder));
      all.insert(all.end(), {"--store", place_.path(folder + "/store"), "--quiet"});
      if (folder == "careful") {
        all.emplace_back("--conservative");
      }
      const Outcome outcome = molgauge(all);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
  }
  void expect_same(const std::string& file) {
    const std::string usual = read_file(place_.path("usual/" + file));
    EXPECT_FALSE(usual.empty()) << file;
    EXPECT_EQ(usual, read_file(place_.path("careful/" + file))) << file;
  }

  Workplace place_;
  const std::string benchmark_ = place_.path("benchmark.json");
};

TEST_F(Conservative, EncodingGivesTheSameRows) {
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"encode", place_.path("nci200.smi"), "--encoder", "ecfp", "--out", folder + "/rows.npy"};
  });
  expect_same("rows.npy");
}

TEST_F(Conservative, MiniMolsBatchesAreTheSmallestAndItsRowsTheSame) {
  const std::string weights = place_.path("weights");
  const std::string source = place_.path("formula.safetensors");
  ASSERT_EQ(std::system((MOLGAUGE_WRITE_FORMULA_WEIGHTS " " + source).c_str()), 0);
  ASSERT_EQ(molgauge({"weights", "install", "minimol", "--from", source, "--weights", weights}).exit_code, 0);
  const std::string molecules = place_.nci_molecules(60);
  const auto encode = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "encode",  molecules, "--weights",       weights, "--encoder",
        "minimol", "--store", place_.path(name), "--out", place_.path(name + ".npy")};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  };
  const Outcome usual = encode("usual", {"--threads", "2"}), careful = encode("careful", {"--conservative"});
  ASSERT_EQ(usual.exit_code, 0) << usual.err;
  ASSERT_EQ(careful.exit_code, 0) << careful.err;
  EXPECT_THAT(careful.err, HasSubstr("batches of up to 256 atoms"));
  EXPECT_THAT(careful.err, HasSubstr(", 1 worker with "));
  EXPECT_EQ(read_file(place_.path("usual.npy")), read_file(place_.path("careful.npy")));
}

TEST_F(Conservative, TrainingEvaluationAndScoresAreTheSame) {
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"train", benchmark_, "--run", folder + "/run", "--encoder", "ecfp", "--epochs", "2"};
  });
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"evaluate", folder + "/run"};
  });
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"score", folder + "/run", place_.path("nci200.smi"), "--out", folder + "/scores.csv"};
  });
  for (const char* const file : {"run/best_model.safetensors", "run/training_curve.csv", "run/config.json",
                                 "run/detailed_predictions.csv", "scores.csv"}) {
    expect_same(file);
  }
}

TEST_F(Conservative, BaselinesAndDomainsAreTheSame) {
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"baseline", benchmark_, "--run", folder + "/run", "--encoder",
            "ecfp",     "--method", "msp",   "--epochs",      "2"};
  });
  expect_same("run/msp_scores.npz");
  run_both([&](const std::string& folder) -> std::vector<std::string> {
    return {"domain", place_.path("nci200.smi"), place_.path("nci200.csv"), "--encoder", "ecfp",
            "--out",  folder + "/domain.csv"};
  });
  expect_same("domain.csv");
}

TEST_F(Conservative, ExcludesTheOptionsThatItDecides) {
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--threads", "2"}, {"--precision", "fp32"}, {"--batch-atoms", "100"}}) {
    EXPECT_EQ(place_.encode(place_.path("nci200.smi"), {"--conservative", other[0], other[1]}).exit_code, 2);
  }
}

}  // namespace
}  // namespace molgauge::test
