// Tests common mistakes of users. Each mistake gets the documented exit code and a message that names the
// file and the fix.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "command.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

class BadInput : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    replace_file(folder_ / name, content);
    return (folder_ / name).string();
  }
  Outcome encode(const std::string& molecules, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        "encode", molecules, "--encoder", "ecfp", "--quiet", "--store", (folder_ / "store").string()};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  TemporaryFolder folder_;
};

TEST_F(BadInput, MissingFile) {
  const Outcome outcome = encode((folder_ / "absent.smi").string());
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("absent.smi"));
}

TEST_F(BadInput, ASmilesInPlaceOfAFile) {
  const Outcome outcome = encode("c1ccccc1O");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("If it is a SMILES"));
  const Outcome predicted = molgauge({"predict", (own_data("chemprop") / "v2_regression.pt").string(), "CCO",
                                      "--out", (folder_ / "p.csv").string()});
  EXPECT_EQ(predicted.exit_code, 3) << predicted.err;
  EXPECT_THAT(predicted.err, HasSubstr("If it is a SMILES"));
}

TEST_F(BadInput, AMessageInPlaceOfAFile) {
  const std::string message = "CUDA out of memory. Tried to allocate 20.00 MiB";
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{message}, std::vector<std::string>{"--message", message}}) {
    std::vector<std::string> words = {"memory", "explain"};
    words.insert(words.end(), given.begin(), given.end());
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("give - as FILE"));
  }
}

TEST_F(BadInput, FolderInPlaceOfAFile) { EXPECT_EQ(encode(folder_.path().string()).exit_code, 3); }

TEST_F(BadInput, UnknownExtension) {
  const Outcome outcome = encode(file("molecules.xyz", "CCO\n"));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(".csv"));
}

TEST_F(BadInput, WrongColumn) {
  const Outcome outcome = encode(file("m.csv", "drug,y\nCCO,1\n"));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--smiles-column"));
  EXPECT_THAT(outcome.err, HasSubstr("drug, y"));
}

TEST_F(BadInput, EmptyFile) { EXPECT_EQ(encode(file("empty.smi", "")).exit_code, 3); }

TEST_F(BadInput, NoValidMolecule) {
  const Outcome outcome = encode(file("m.smi", "C1CC\nnot-a-molecule\n"));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("m.smi:1"));
  EXPECT_THAT(outcome.err, HasSubstr("m.smi:2"));
}

TEST_F(BadInput, BinaryJunk) {
  const Outcome outcome = encode(file("m.smi", std::string("\x7f"
                                                           "ELF\x02\x01\x01\0\0\0\0junk\n",
                                                           17)));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("m.smi"));
}

TEST_F(BadInput, AnUnreadableSubfolderIsNamed) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "the command is run as another user, which needs root";
  }
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  const std::filesystem::path models = folder_ / "models";
  std::filesystem::create_directories(models / "closed");
  std::filesystem::copy(own_data("chemprop") / "v2_regression.pt", models / "a.pt");
  std::filesystem::permissions(models / "closed", std::filesystem::perms::none);
  CommandOptions options;
  options.run_as = 65534;
  const Outcome outcome = molgauge({"predict", models.string(), file("in.smi", "CCO\n"), "--out",
                                    (folder_ / "o.csv").string(), "--store", (folder_ / "store").string()},
                                   options);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(
      outcome.err.find("molgauge: " + (models / "closed").string() + ": cannot be read: Permission denied"),
      std::string::npos)
      << outcome.err;
}

TEST_F(BadInput, MessagesNameStandardInputAndNotItsCopy) {
  std::string molecules;
  for (std::size_t i = 1; i <= 40; ++i) {
    molecules += std::string(i, 'C') + "O\n";
  }
  const std::string training = file("train.smi", molecules), out = (folder_ / "o.csv").string(),
                    store = (folder_ / "store").string();
  CommandOptions options;
  options.stdin_text = std::string("C\0C\n", 4);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"predict", (own_data("chemprop") / "v2_regression.pt").string(), "-"},
        std::vector<std::string>{"domain", training, "-", "--encoder", "ecfp"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", out, "--store", store});
    const Outcome outcome = molgauge(all, options);
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.err.find("molgauge: -:1: the line contains binary data"), std::string::npos)
        << outcome.err;
  }
}

TEST_F(BadInput, TruncatedGzip) {
  const Outcome outcome = encode(file("m.smi.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b", 11)));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
}

TEST_F(BadInput, InvalidRecordsAreReportedAndTheRestKept) {
  const std::string out = (folder_ / "features.npy").string();
  const Outcome outcome = encode(file("m.smi", "CCO\nC1CC\nCCN\n"), {"--out", out});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("m.smi:2"));
  EXPECT_THAT(read_file(folder_ / "features.failed.csv"), HasSubstr("2,C1CC,"));
}

TEST_F(BadInput, StrictStopsAtTheFirst) {
  const Outcome outcome = encode(file("m.smi", "CCO\nC1CC\nCCN\n"), {"--strict"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("m.smi:2"));
}

TEST_F(BadInput, UnknownEncoder) {
  const Outcome outcome = molgauge(
      {"encode", file("m.smi", "CCO\n"), "--encoder", "magic", "--store", (folder_ / "store").string()});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("minimol"));
}

TEST_F(BadInput, MissingWeightsSayHowToGetThem) {
  const Outcome outcome = molgauge({"encode", file("m.smi", "CCO\n"), "--store", (folder_ / "store").string(),
                                    "--weights", (folder_ / "weights").string()});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("molgauge weights install minimol"));
}

/// If weights are missing, every verb names the same command that installs them.
TEST_F(BadInput, MissingWeightsSayHowToGetThemInEveryVerb) {
  std::string own = "smiles\n", others = "smiles\n";
  for (std::size_t chain = 1; chain <= 30; ++chain) {
    own += std::string(chain, 'C') + "O\n";
    others += "Fc1ccc(Br)cc1" + std::string(chain, 'C') + "S(=O)(=O)N\n";
  }
  const std::string training = file("own.csv", own), background = file("others.csv", others);
  const std::vector<std::vector<std::string>> calls = {
      {"domain", training, background, "--out", (folder_ / "d.csv").string()},
      {"train", training, "--ood", background, "--ood-similarity", "1", "--run", (folder_ / "run").string()},
      {"memory", "plan", "encode", training},
      {"memory", "plan", "domain", training, background}};
  for (std::vector<std::string> words : calls) {
    SCOPED_TRACE(words.front());
    words.insert(words.end(), {"--weights", (folder_ / "none").string()});
    if (words.front() != "memory") {
      words.insert(words.end(), {"--store", (folder_ / "store").string()});
    }
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("`molgauge weights install minimol`"));
  }
}

TEST_F(BadInput, TruncatedCheckpoint) {
  const Outcome outcome =
      molgauge({"weights", "install", "minimol", "--from", file("w.pth", "PK\x03\x04 cut off"), "--weights",
                (folder_ / "weights").string()});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("w.pth"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "weights" / "minimol" / "manifest.json"));
}

TEST_F(BadInput, UnwritableFolder) {
  const Outcome outcome = encode(file("m.smi", "CCO\n"), {"--out", "/proc/features.npy"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("/proc/features.npy"));
  const Outcome missing = encode(file("m.smi", "CCO\n"), {"--out", "/proc/no-such-folder/features.npy"});
  EXPECT_EQ(missing.exit_code, 2) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("the folder /proc/no-such-folder does not exist"));
}

TEST_F(BadInput, UnknownOutputFormat) {
  EXPECT_EQ(encode(file("m.smi", "CCO\n"), {"--out", (folder_ / "features.xls").string()}).exit_code, 2);
}

TEST_F(BadInput, StoreThatIsNone) {
  std::filesystem::create_directories(folder_ / "store");
  file("store/data.mdb", std::string(8192, 'x'));
  const Outcome outcome = encode(file("m.smi", "CCO\n"));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("store"));
}

TEST_F(BadInput, OutputInPlaceOfTheInput) {
  const std::string table = file("m.csv", "smiles,y\nCCO,1\nCCN,0\n");
  const Outcome outcome = molgauge({"split", table, "--label-column", "y", "--out", table});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("Name another file with --out"));
  EXPECT_EQ(read_file(table).substr(0, 8), "smiles,y");
}

TEST_F(BadInput, BenchmarkThatIsNone) {
  const auto train = [&](const std::string& benchmark) {
    return molgauge({"train", benchmark, "--encoder", "ecfp", "--run", (folder_ / "run").string(), "--store",
                     (folder_ / "store").string()});
  };
  const Outcome damaged = train(file("b.json", "{\"split\": {"));
  EXPECT_EQ(damaged.exit_code, 3) << damaged.err;
  EXPECT_THAT(damaged.err, HasSubstr("b.json"));
  EXPECT_EQ(train(file("empty.json", "{}")).exit_code, 3);
}

TEST_F(BadInput, RunThatIsNone) {
  for (const char* verb : {"evaluate", "score"}) {
    std::vector<std::string> words = {verb, (folder_ / "no-run").string()};
    if (std::string(verb) == "score") {
      words.push_back(file("m.smi", "CCO\n"));
    }
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("no-run"));
  }
}

// Without our checks, CLI11 would read -1 as 2^64 - 1, 010 as 8 and an empty text as 0.
TEST_F(BadInput, ValuesThatOptionsDoNotTake) {
  const std::string molecules = file("m.smi", "CCO\n");
  for (const char* const threads : {"-1", "010", "0x2", "1e2", "99999999999999999999", ""}) {
    const Outcome outcome = encode(molecules, {"--threads", threads});
    EXPECT_EQ(outcome.exit_code, 2) << threads << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--threads"));
  }
  EXPECT_EQ(encode(molecules, {"--out", ""}).exit_code, 2);
  for (const char* const rate : {"nan", "inf", "1e999", ""}) {
    const Outcome outcome = molgauge({"train", "b.json", "--run", "r", "--encoder", "ecfp", "--lr", rate});
    EXPECT_EQ(outcome.exit_code, 2) << rate << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--lr"));
  }
}

/// Starts the program as a shell does, with standard streams redirected or closed.
int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(BadInput, ClosedAndFullStandardStreams) {
  const std::string molecules = file("m.smi", "CCO\nCCN\n"), store = (folder_ / "store").string();
  const std::string encode =
      "'" + std::string(MOLGAUGE_PROGRAM) + "' encode --encoder ecfp --store '" + store + "' ";
  EXPECT_EQ(shell(encode + molecules + " <&- >&- 2>&-"), 0);
  EXPECT_EQ(shell(encode + molecules + " 2>/dev/full"), 0);
  EXPECT_EQ(shell(encode + "absent.smi 2>/dev/full"), 3);
  EXPECT_EQ(shell(std::string(MOLGAUGE_PROGRAM) + " --help-all >/dev/full 2>/dev/null"), 1);
  EXPECT_EQ(molgauge({"store", "verify", "--store", store}).exit_code, 0) << "messages went into the store";
}

}  // namespace
}  // namespace molgauge::test
