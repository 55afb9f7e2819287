// Tests that every specification in specs/ is valid, and its matrix runs on small benchmarks with one seed
// and few epochs.

#include <algorithm>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(MOLGAUGE_SPECS)) {
    if (entry.path().extension() == ".toml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// All specifications share one folder of benchmarks.
class Benchmarks {
 public:
  Benchmarks() {
    constexpr const char* kHeader = "smiles,HIV_active,Class,p_np,assay\n";
    constexpr std::size_t kRows = 500;
    std::string table = kHeader, of_two_rings = kHeader;
    std::istringstream lines(read_file(place_.nci_molecules(1500)));
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line); ++row) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      const std::string label = smiles.find_first_of("Nn") != std::string::npos ? "1" : "0";
      const std::string fields =
          smiles + "," + label + "," + label + "," + label + "," + std::to_string(row / 25) + "\n";
      table += row < kRows ? fields : "";
      of_two_rings += smiles.find('2') != std::string::npos ? fields : "";
    }
    place_.file("hiv.csv", table);
    place_.file("bace.csv", table);
    // The table contains only molecules with two rings. Too many other NCI molecules are acyclic or have the
    // scaffold of benzene, so they could not be split by scaffold.
    place_.file("bbbp.csv", of_two_rings);
    for (const std::string domain : {"scaffold", "size", "assay"}) {
      const std::string out = place_.path("lbap_general_ec50_" + domain + ".json");
      std::vector<std::string> words = {
          "split",  place_.path("hiv.csv"), "--label-column", "HIV_active", "--domain",
          domain,   "--algorithm",          "drugood",        "--out",      out,
          "--quiet"};
      if (domain == "assay") {
        words.insert(words.end(), {"--assay-column", "assay"});
      }
      const Outcome outcome = molgauge(words);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    make_good_benchmarks();
    make_benchmarks_of_two_files();
  }
  std::string folder() const { return place_.path(""); }
  const Workplace& place() const { return place_; }

 private:
  /// Uses the same molecules for all three sets.
  void make_good_benchmarks() {
    for (const std::string domain : {"scaffold", "size"}) {
      for (const std::string shift : {"covariate", "concept", "none"}) {
        const std::string ending = "_" + domain + "_" + shift + ".json",
                          hiv = place_.path("good_hiv" + ending);
        const Outcome outcome = molgauge({"split", place_.path("bbbp.csv"), "--label-column", "HIV_active",
                                          "--domain", domain, "--shift", shift, "--out", hiv, "--quiet"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        fs::copy_file(hiv, place_.path("good_pcba" + ending));
        fs::copy_file(hiv, place_.path("good_zinc" + ending));
      }
    }
  }

  /// Uses the same molecules for every pair of files (bench/detection_protocols.py).
  void make_benchmarks_of_two_files() {
    const std::string scaffold = place_.path("lbap_general_ec50_scaffold.json");
    for (const char* const split : {"1", "2", "3", "4", "5"}) {
      fs::copy_file(scaffold, place_.path(std::string("bbbp-against-bace-") + split + ".json"));
    }
    for (const char* const target : {"2014", "217", "219", "245", "253", "255", "259", "270"}) {
      fs::copy_file(scaffold, place_.path(std::string("time-CHEMBL") + target + "-1.json"));
    }
  }

  Workplace place_;
};

const Benchmarks& benchmarks() {
  static const Benchmarks made;
  return made;
}

/// Replaces the value of a key wherever it occurs.
void set_all(std::string& specification, const std::string& key, const std::string& value) {
  specification =
      std::regex_replace(specification, std::regex("\n" + key + " = [^\n]*"), "\n" + key + " = " + value);
}

/// A specification with its first two benchmarks, because all benchmarks have the same few molecules.
std::string with_two_benchmarks(const std::string& specification) {
  std::istringstream lines(specification);
  std::string kept;
  bool is_kept = true;
  int benchmarks = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) {
      is_kept = line != "[[benchmark]]" || ++benchmarks <= 2;
    }
    kept += is_kept ? line + "\n" : "";
  }
  return kept;
}

class ShippedSpecifications : public testing::TestWithParam<std::string> {
 protected:
  Outcome experiment(const std::string& spec, const std::vector<std::string>& more) const {
    const Workplace& place = benchmarks().place();
    std::vector<std::string> words = {"experiment", spec,          "--data-path", benchmarks().folder(),
                                      "--out",      out(),         "--store",     place.path("store"),
                                      "--quiet",    "--log-level", "error"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  std::string out() const { return benchmarks().place().path("out-" + GetParam()); }
  bool has(const std::string& file) const { return fs::exists(fs::path(out()) / file); }
};

TEST_P(ShippedSpecifications, AreInOrderAndRun) {
  const std::string file = std::string(MOLGAUGE_SPECS) + "/" + GetParam() + ".toml";
  const Outcome plan = experiment(file, {"--plan-only"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("The specification and its benchmarks are valid"));

  std::string small = with_two_benchmarks(read_file(file));
  set_all(small, "encoders", "[\"ecfp\"]");
  set_all(small, "seeds", "[1]");
  set_all(small, "data-seeds", "[1]");
  set_all(small, "epochs", "1");
  if (small.find("kind = ") != std::string::npos) {
    small += "\n[classifier]\nepochs = 1\n";
  }
  const Outcome outcome = experiment(benchmarks().place().file(GetParam() + ".toml", small), {});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" 0 failed"));
  EXPECT_TRUE(has("cells.csv") && has("summary.csv"));
  const Outcome summaries = molgauge({"migrate", "--summaries", out()});
  EXPECT_EQ(summaries.exit_code, 0) << summaries.err;
  EXPECT_TRUE(has("ecfp_experiment_results.json") && has("ablation_summary.json"));
  EXPECT_EQ(has("cross_dataset_summary.json"), GetParam() == "cross-dataset");
  EXPECT_EQ(has("beta_sensitivity.csv"), GetParam() == "beta-sensitivity");
  EXPECT_EQ(has("lambda_sensitivity.csv"), GetParam() == "lambda-sensitivity");
  EXPECT_EQ(has("parameter_study.csv"), GetParam() == "parameter-study");
  EXPECT_EQ(has("runs/ecfp/ec50-size/beta-1/seed_1_data_42/hard_pair_validation.json"),
            GetParam() == "hard-pairs");
  EXPECT_EQ(has("runs/ecfp/ec50-scaffold/dpo_metrics.json"), GetParam() == "ablation");
  EXPECT_EQ(has("runs/ecfp/ec50-scaffold/energy-dpo/seed_1_data_42/training_dynamics.csv"),
            GetParam() == "training-dynamics" || GetParam() == "multi-seed" || GetParam() == "ablation");
}

INSTANTIATE_TEST_SUITE_P(Specs, ShippedSpecifications, testing::ValuesIn(shipped()), [](const auto& name) {
  return std::regex_replace(name.param, std::regex("-"), "_");
});

}  // namespace
}  // namespace molgauge::test
