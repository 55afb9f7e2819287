// Tests texts in inputs: a second word after a SMILES, control characters, cells that spreadsheets would
// evaluate, and files of the wrong kind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextOfInputs, ACellWithABlankIsNoMolecule) {
  Workplace place;
  const Outcome outcome = place.encode(place.file("m.csv", "smiles,y\nCCO,1\nCC O,1\n\" CCN \",0\n"),
                                       {"--out", place.path("f.npy")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 failed"));
  EXPECT_THAT(outcome.err, HasSubstr("m.csv:3: 'CC O': contains a space"));
  EXPECT_THAT(read_file(place.path("f.failed.csv")), HasSubstr("3,CC O,"));
}

TEST(TextOfInputs, ANameBesideASmilesIsOneInLists) {
  Workplace place;
  const std::string lines = "CCO ethanol of the lab\nCCN\tethylamine\nCC |$a;b$| named\n";
  EXPECT_THAT(place.encode(place.file("m.smi", lines)).out, HasSubstr("0 failed"));
  CommandOptions typed;
  typed.stdin_text = lines;
  EXPECT_THAT(place.encode("-", {}, typed).out, HasSubstr("0 failed"));
}

TEST(TextOfInputs, ControlCharactersDoNotReachTheTerminal) {
  Workplace place;
  const std::string title = "\x1b]0;owned\x07";
  const std::string benchmark = place.path("b.json"), run = place.path("run");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  ASSERT_EQ(place.train(benchmark, run, {"--epochs", "1"}).exit_code, 0);
  const std::string molecules =
      place.file("m.csv", "smiles\nCCO\n\"" + title + "\"\n\"C1\nmolgauge: forged\"\n");
  for (const Outcome& outcome :
       {place.encode(molecules), place.score(run, molecules, {"--format", "table"}),
        place.encode(molecules, {"--strict"}), place.encode(place.path(title)),
        molgauge({"train", place.path(title), "--run", place.path("r")}),
        molgauge({"encode", molecules, "--encoder", title, "--store", place.path("s")}),
        place.encode(molecules, {"--smiles-column", title})}) {
    for (const std::string& text : {outcome.out, outcome.err}) {
      EXPECT_THAT(text, Not(HasSubstr("\x1b")));
      EXPECT_THAT(text, Not(HasSubstr("\x07")));
      EXPECT_THAT(text, Not(HasSubstr("\nmolgauge: forged")));
    }
  }
}

TEST(TextOfInputs, SpreadsheetsComputeNothingWhereAskedTo) {
  Workplace place;
  const std::string molecules = place.file("m.csv", "smiles\nCCO\n=1+2\n-CC\n");
  const std::vector<std::string> out = {"--out", place.path("f.npy")};
  ASSERT_EQ(place.encode(molecules, out).exit_code, 0);
  EXPECT_THAT(read_file(place.path("f.failed.csv")), HasSubstr("3,=1+2,"));
  ASSERT_EQ(place.encode(molecules, {"--out", place.path("f.npy"), "--spreadsheet-safe"}).exit_code, 0);
  const std::string safe = read_file(place.path("f.failed.csv"));
  EXPECT_THAT(safe, HasSubstr("3,'=1+2,"));
  EXPECT_THAT(safe, HasSubstr("4,'-CC,"));
  EXPECT_EQ(place.encode(molecules, {"--spreadsheet-safe"}).exit_code, 2) << "without --out it has no effect";
}

/// Every verb that writes texts of inputs into CSV files.
TEST(TextOfInputs, SpreadsheetsComputeNothingOfRunsWhereAskedTo) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), run = place.path("run"), matrix = place.path("matrix");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  place.label_alternately(benchmark);
  std::string text = read_file(benchmark);
  const std::string key = "\"smiles\":\"";
  const std::size_t start = text.find(key, text.find("\"ood_test\"")) + key.size();
  text.replace(start, text.find('"', start) - start, "=1+2");
  replace_file(benchmark, text);
  const std::string spec = place.file("spec.toml",
                                      "[matrix]\nencoders = [\"ecfp\"]\n[training]\nepochs = 1\n"
                                      "[[benchmark]]\nname = \"nci\"\nfile = \"b.json\"\n"
                                      "[[method]]\nname = \"energy\"\n");
  const auto experiment = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"experiment", spec, "--out", matrix, "--store", place.path("store"), "--quiet"});
    return molgauge(words);
  };
  ASSERT_EQ(experiment({}).exit_code, 0);
  EXPECT_THAT(read_file(matrix + "/failed.csv"), HasSubstr(",=1+2,"));
  ASSERT_EQ(experiment({"--spreadsheet-safe"}).exit_code, 0);
  EXPECT_THAT(read_file(matrix + "/failed.csv"), HasSubstr(",'=1+2,"));
  EXPECT_EQ(molgauge({"report", matrix, "--spreadsheet-safe"}).exit_code, 0);
  ASSERT_EQ(place.train(benchmark, run, {"--epochs", "1", "--spreadsheet-safe"}).exit_code, 0);
  const Outcome evaluated = place.evaluate(run, {"--spreadsheet-safe"});
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.err, HasSubstr("'=1+2'"));
  EXPECT_THAT(read_file(run + "/detailed_predictions.csv"), Not(HasSubstr("=1+2"))) << "it failed";
}

TEST(TextOfInputs, TheJsonLibraryIsNotHeard) {
  Workplace place;
  const std::string table = place.file("train.csv", "smiles,y\nCCO,1\n");
  const std::string json = place.file("b.json", "{\"split\": [}");
  const std::string run = place.path("run");
  std::filesystem::create_directories(run);
  for (const char* const config : {"", "[1, 2]", "{}", "{\"loss_type\": 5}", "smiles", "{\"a\": \"\xff\"}"}) {
    place.file("run/config.json", config);
    const Outcome outcome = place.evaluate(run);
    EXPECT_EQ(outcome.exit_code, 3) << config;
    EXPECT_THAT(outcome.err, HasSubstr("config.json")) << config;
    EXPECT_THAT(outcome.err, Not(HasSubstr("exception"))) << config;
  }
  const Outcome trained = place.train(table, place.path("r"));
  EXPECT_EQ(trained.exit_code, 3);
  EXPECT_THAT(trained.err, HasSubstr("train.csv: is a list of molecules"));
  EXPECT_THAT(trained.err, HasSubstr("molgauge split"));
  EXPECT_THAT(trained.err, Not(HasSubstr("exception")));
  EXPECT_THAT(place.encode(json).err, Not(HasSubstr("exception")));
}

TEST(TextOfInputs, EvaluatingAFolderOfBaselinesSaysWhatItIs) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), baselines = place.path("baselines");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  place.label_alternately(benchmark);
  ASSERT_EQ(molgauge({"baseline", benchmark, "--run", baselines, "--method", "msp", "--epochs", "2",
                      "--encoder", "ecfp", "--store", place.path("store")})
                .exit_code,
            0);
  const Outcome outcome = place.evaluate(baselines);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("is a folder of 'molgauge baseline'"));
  EXPECT_THAT(outcome.err, HasSubstr("molgauge train"));
}

}  // namespace
}  // namespace molgauge::test
