// Tests numbers out of range, and files for which no plan is possible.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Seeds are exempt, because a seed can be any number.
TEST(WrongValues, EveryNumericOptionShowsItsRange) {
  std::istringstream help(molgauge({"--help-all"}).out);
  std::size_t numeric = 0;
  for (std::string line; std::getline(help, line);) {
    const bool is_numeric =
        (line.find(" UINT") != std::string::npos || line.find(" INT") != std::string::npos ||
         line.find(" FLOAT") != std::string::npos) &&
        line.find("seed ") == std::string::npos;
    numeric += is_numeric ? 1 : 0;
    EXPECT_TRUE(!is_numeric || line.find("..") != std::string::npos) << line;
  }
  EXPECT_GT(numeric, 30u);
}

TEST(WrongValues, AreRefusedWithTheRange) {
  const std::vector<std::string> train = {"train", "b.json", "--run", "r"};
  const std::vector<std::string> baseline = {"baseline", "b.json", "--run", "r"};
  const std::string huge = "18446744073709551615";
  const auto refused = [](std::vector<std::string> words, const std::string& option,
                          const std::string& value) {
    words.insert(words.end(), {option, value});
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 2) << option << " " << value << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(option.substr(2)));
    EXPECT_THAT(outcome.err, HasSubstr(value)) << option;
  };
  for (const char* const option :
       {"--batch-size", "--eval-batch-size", "--hidden-dim", "--epochs", "--patience", "--eval-steps",
        "--threads", "--train-size", "--debug-dataset-size"}) {
    refused(train, option, huge);
    refused(train, option, "-1");
    refused(train, option, "1.5");
  }
  for (const char* const option : {"--batch-size", "--hidden-dim", "--epochs", "--patience"}) {
    refused(train, option, "0");
  }
  for (const char* const option : {"--lr", "--dpo-beta", "--weight-decay", "--grad-clip", "--dropout"}) {
    refused(train, option, "1e300");
    refused(train, option, "nan");
    refused(train, option, "-1");
  }
  refused(train, "--gradient-accumulation", huge);
  refused(train, "--seed", "18446744073709551616");
  for (const char* const option : {"--num-layers", "--hidden-channels", "--knn-k", "--mc-dropout-samples"}) {
    refused(baseline, option, huge);
    refused(baseline, option, "0");
  }
  refused(baseline, "--odin-temperature", "0");
  refused({"encode", "m.smi"}, "--batch-atoms", "4611686018427387904");
  refused({"memory", "plan", "encode", "m.smi"}, "--batch-atoms", "4611686018427387904");
  refused({"memory", "watch", "1"}, "--every", "1e9");
  refused({"memory", "simulate", "t"}, "--device", huge);
  refused({"memory", "simulate", "t"}, "--capacity", "0");
  refused({"experiment", "s.toml", "--out", "o"}, "--jobs", huge);
  refused({"score", "r", "m.smi", "--out", "s.csv"}, "--threshold", "1e300");
}

TEST(WrongValues, OfFixedChoicesNameTheNearestWord) {
  const auto refusal = [](std::vector<std::string> words) {
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal({"train", "b.json", "--run", "r", "--loss", "hnige"}),
              HasSubstr("Did you mean 'hinge'?"));
  EXPECT_THAT(refusal({"pocket", "train", "g", "--ligands", "l.h5", "--run", "r", "--pooling", "maen"}),
              HasSubstr("Did you mean 'mean'?"))
      << "it counted as attention";
  EXPECT_THAT(refusal({"domain", "t.csv", "c.csv", "--method", "combine"}),
              HasSubstr("Did you mean 'combined'?"));
}

TEST(WrongValues, AreRefusedInSpecificationsToo) {
  Workplace place;
  const std::string benchmark = place.path("b.json");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  const auto plan = [&](const std::string& matrix, const std::string& method) {
    const std::string specification = place.file(
        "s.toml", "[matrix]\n" + matrix + "\n[[benchmark]]\nname = \"b\"\nfile = \"b.json\"\n[[method]]\n" +
                      "name = \"m\"\n" + method + "\n");
    return molgauge({"experiment", specification, "--out", place.path("matrix"), "--plan-only"});
  };
  const std::string ecfp = "encoders = [\"ecfp\"]";
  const auto refused = [](const Outcome& outcome, const std::string& reason) {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("s.toml:"));
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  };
  EXPECT_EQ(plan(ecfp, "loss = \"bce\"").exit_code, 0);
  refused(plan(ecfp, "batch-size = 9223372036854775807"), "a whole number from 1 to 10000000");
  refused(plan(ecfp, "lr = nan"), "lr");
  refused(plan(ecfp + "\ntrain-size = 9223372036854775807", "loss = \"bce\""), "train-size");
  // An earlier version printed "in order" for all of these inputs.
  refused(plan("encoders = [\"minimoll\"]", "loss = \"bce\""), "s.toml:2: no encoder \"minimoll\"");
  refused(plan(ecfp, "kind = \"mahalonobis\""), "mahalanobis");
  refused(plan(ecfp, "loss = \"dop\""), "Did you mean 'dpo'?");
  refused(plan(ecfp + "\ndataset-type = \"drugod\"", "loss = \"bce\""), "dataset-type");
}

TEST(MemoryPlan, NeedsMolecules) {
  Workplace place;
  const auto plan = [](const std::string& molecules) {
    return molgauge({"memory", "plan", "encode", molecules, "--encoder", "ecfp"});
  };
  for (const std::string& molecules :
       {place.path("absent.smi"), place.path("."), place.file("empty.smi", ""), place.file("empty.csv", ""),
        place.file("header.csv", "smiles,y\n"), place.file("other.csv", "drug\nCCO\n")}) {
    const Outcome outcome = plan(molecules);
    EXPECT_EQ(outcome.exit_code, 3) << molecules << ": " << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(molecules));
  }
  EXPECT_EQ(plan("-").exit_code, 0) << "standard input is not known beforehand";
  EXPECT_THAT(plan(place.file("one.smi", "CCO\n")).out, HasSubstr("1 molecule\n"));
}

TEST(MemoryExplain, ProposesNoSettingsOfAGpuForACpu) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), trace = place.path("t.trace");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  ASSERT_EQ(place.train(benchmark, place.path("run"), {"--epochs", "2", "--memory-trace", trace}).exit_code,
            0);
  const Outcome outcome = molgauge({"memory", "explain", trace, "--page", place.path("t.html")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("recorded on a CPU"));
  EXPECT_THAT(outcome.out, HasSubstr("tensors used"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("CUDA")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("cuda")));
  EXPECT_THAT(molgauge({"memory", "explain", trace, "--capacity", "24GiB"}).out, HasSubstr("card: 24.0 GiB"));
}

}  // namespace
}  // namespace molgauge::test
