// Tests that commands with --quiet print only errors and results.

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The first NCI molecules, with two alternating classes, because baselines need classes.
std::string labelled_molecules(const Workplace& place, std::size_t count) {
  std::istringstream molecules(read_file(place.nci_molecules(count)));
  std::string table = "smiles,active\n";
  std::size_t row = 0;
  for (std::string line; std::getline(molecules, line); ++row) {
    table += line.substr(0, line.find_first_of(" \t")) + (row % 2 == 0 ? ",0\n" : ",1\n");
  }
  return place.file("labelled.csv", table);
}

TEST(Quiet, EveryVerbTakesIt) {
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"demo"},
                                             {"doctor"},
                                             {"weights", "list"},
                                             {"domain"},
                                             {"split"},
                                             {"encode"},
                                             {"store", "info"},
                                             {"store", "import"},
                                             {"train"},
                                             {"evaluate"},
                                             {"score"},
                                             {"baseline"},
                                             {"experiment"},
                                             {"report"},
                                             {"migrate"},
                                             {"memory", "plan", "encode"},
                                             {"memory", "report"},
                                             {"memory", "watch"},
                                             {"memory", "simulate"},
                                             {"memory", "explain"}}) {
    std::vector<std::string> words = verb;
    words.emplace_back("--help");
    EXPECT_THAT(molgauge(words).out, HasSubstr("--quiet")) << verb.back();
  }
}

TEST(Quiet, ErrorsAndResultsAlone) {
  Workplace place;
  const auto is_quiet = [](const Outcome& outcome, bool has_result) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(!outcome.out.empty(), has_result) << outcome.out;
  };
  const std::string molecules = labelled_molecules(place, 300), benchmark = place.path("b.json");
  const std::string run = place.path("run"), baselines = place.path("baselines");
  is_quiet(place.split(molecules, benchmark, {"--label-column", "active"}), true);
  is_quiet(place.encode(molecules, {"--quiet", "--out", place.path("f.npy")}), true);
  is_quiet(place.train(benchmark, run, {"--quiet", "--epochs", "2"}), true);
  is_quiet(place.evaluate(run, {"--quiet"}), true);
  is_quiet(place.score(run, place.file("m.smi", "CCO\nCCN\n"), {"--quiet"}), true);
  is_quiet(molgauge({"baseline", benchmark, "--run", baselines, "--method", "msp", "--epochs", "2",
                     "--encoder", "ecfp", "--store", place.path("store"), "--quiet"}),
           true);
  is_quiet(molgauge({"report", run, "--quiet"}), true);
  is_quiet(molgauge({"memory", "report", run, "--quiet"}), true);
}

/// Tests the commands whose complete output is not tested elsewhere.
TEST(Quiet, TheOtherVerbsPrintTheirResultAlone) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), run = place.path("run"), store = place.path("store");
  const std::string molecules = labelled_molecules(place, 300), trace = place.path("trace.bin");
  ASSERT_EQ(place.split(molecules, benchmark, {"--label-column", "active"}).exit_code, 0);
  ASSERT_EQ(place.encode(molecules, {"--memory-trace", trace}).exit_code, 0);
  const std::string spec = place.file("spec.toml",
                                      "[matrix]\nencoders = [\"ecfp\"]\n[training]\nepochs = 2\n"
                                      "[[benchmark]]\nname = \"nci\"\nfile = \"b.json\"\n"
                                      "[[method]]\nname = \"energy\"\n");
  const std::string recording = own_data("allocator/protocol5.pickle").string();
  CommandOptions home;
  home.environment["MOLGAUGE_HOME"] = place.path("home");
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"experiment", spec, "--out", place.path("matrix"), "--plan-only"},
           {"experiment", spec, "--out", place.path("matrix"), "--store", store},
           {"report", place.path("matrix")},
           {"weights", "list"},
           {"doctor"},
           {"store", "info", "--store", store},
           {"store", "verify", "--store", store},
           {"store", "prune", "--damaged", "--store", store},
           {"migrate", "--options"},
           {"migrate", "python", "main.py", "--mode", "train", "--dataset", "drugood"},
           {"memory", "plan", "encode", molecules, "--encoder", "ecfp"},
           {"memory", "plan", "train", benchmark, "--encoder", "ecfp"},
           {"memory", "plan", "baseline", benchmark, "--encoder", "ecfp"},
           {"memory", "explain", recording},
           {"memory", "explain", trace},
           {"memory", "simulate", recording},
           {"memory", "simulate", trace}}) {
    // --quiet must precede the command line that migrate translates.
    words.insert(words.front() == "migrate" ? words.begin() + 1 : words.end(), "--quiet");
    SCOPED_TRACE(testing::PrintToString(words));
    const Outcome outcome = molgauge(words, home);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out, "");
  }
}

/// One of the new molecules is invalid, and the output says so. Missing weights are not an error here.
TEST(Quiet, TheDemoPrintsWhatItRefusedAndTheScores) {
  Workplace place;
  CommandOptions offline;
  offline.environment = {{"MOLGAUGE_HOME", place.path("home")}, {"PIP_NO_INDEX", "1"}};
  const Outcome outcome = molgauge({"demo", "--molecules", place.nci_molecules(400), "--out",
                                    place.path("demo"), "--store", place.path("store"), "--quiet"},
                                   offline);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, testing::StartsWith(place.path("demo") + "/new-molecules.smi:8:"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CC(=O)Oc1ccccc1C(=O)O"));
}

TEST(Quiet, RefusedRecordsAreErrors) {
  Workplace place;
  const Outcome outcome = place.encode(place.file("m.smi", "CCO\nC1CC\n"), {"--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("m.smi:2: 'C1CC'"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("encoding:")));
  const Outcome refused = place.encode(place.path("absent.smi"), {"--quiet"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("absent.smi"));
}

/// Most benchmarks have fewer molecules than the default sizes of the parts, so a single line reports this.
TEST(Information, FewerMoleculesThanWantedIsOneLine) {
  Workplace place;
  const std::string benchmark = place.path("b.json");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  const Outcome outcome = place.train(benchmark, place.path("run"), {"--epochs", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t said = outcome.err.find("fewer molecules than requested");
  ASSERT_NE(said, std::string::npos) << outcome.err;
  const std::string line = outcome.err.substr(0, said);
  EXPECT_THAT(line.substr(line.rfind('\n') + 1), HasSubstr("- info -"));
  EXPECT_EQ(outcome.err.find("fewer molecules than requested", said + 1), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace molgauge::test
