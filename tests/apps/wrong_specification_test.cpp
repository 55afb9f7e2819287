// Tests invalid specifications of matrices. Each specification is refused before anything is computed. The
// message names the file, the line and the fix.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSpec = R"([matrix]
encoders = ["ecfp"]
seeds = [1]

[[benchmark]]
name = "nci"
molecules = "nci.csv"
label-column = "nitrogen"
domain = "size"

[[method]]
name = "nearest"
kind = "knn"
knn-k = 5
)";

class WrongSpecification : public testing::Test {
 protected:
  void SetUp() override {
    std::istringstream lines(read_file(place_.nci_molecules(300)));
    std::string table = "smiles,nitrogen,nothing\n";
    for (std::string line; std::getline(lines, line);) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      table += smiles + (smiles.find_first_of("Nn") != std::string::npos ? ",1,0\n" : ",0,0\n");
    }
    place_.file("nci.csv", table);
  }

  /// Returns the refusal of the specification with one piece of text replaced.
  std::string refusal(const std::string& old_text, const std::string& new_text) {
    std::string text = kSpec;
    text.replace(text.find(old_text), old_text.size(), new_text);
    const Outcome outcome = molgauge({"experiment", place_.file("spec.toml", text), "--out",
                                      place_.path("matrix"), "--store", place_.path("store"), "--quiet"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("matrix/runs"))) << "a run was begun";
    EXPECT_FALSE(std::filesystem::exists(place_.path("store"))) << "something was encoded";
    return outcome.err;
  }

  Workplace place_;
};

TEST_F(WrongSpecification, AnUnknownKey) {
  EXPECT_THAT(refusal("domain", "domian"),
              AllOf(HasSubstr("spec.toml:9: unknown key 'domian'"),
                    HasSubstr("Available: name, molecules, allow-overlap, test")));
}

TEST_F(WrongSpecification, AMissingFile) {
  EXPECT_THAT(
      refusal("nci.csv", "nic.csv"),
      AllOf(HasSubstr("spec.toml:7: "), HasSubstr("nic.csv: no such file"), HasSubstr("--data-path")));
}

TEST_F(WrongSpecification, AnAbsentLabelColumn) {
  EXPECT_THAT(refusal("\"nitrogen\"", "\"nitrogne\""),
              AllOf(HasSubstr("spec.toml:5: benchmark 'nci'"), HasSubstr("nci.csv:1"), HasSubstr("nitrogne"),
                    HasSubstr("nothing")));
}

TEST_F(WrongSpecification, OneClassOnly) {
  EXPECT_THAT(refusal("\"nitrogen\"", "\"nothing\""),
              AllOf(HasSubstr("spec.toml:11: method 'nearest' on 'nci'"), HasSubstr("nci.json"),
                    HasSubstr("cls_label 0"), HasSubstr("Use another benchmark")));
}

TEST_F(WrongSpecification, MoreNeighboursThanMolecules) {
  EXPECT_THAT(refusal("knn-k = 5", "knn-k = 5000"),
              AllOf(HasSubstr("spec.toml:11: method 'nearest' on 'nci'"),
                    HasSubstr("fewer than --knn-k 5000"), HasSubstr("Choose a smaller value")));
}

TEST_F(WrongSpecification, TestMoleculesThatTrainingHasSeen) {
  const Outcome split = place_.split(place_.path("nci.csv"), place_.path("other.json"),
                                     {"--label-column", "nitrogen", "--algorithm", "drugood"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  EXPECT_THAT(
      refusal("domain = \"size\"", "domain = \"size\"\ntest = \"other.json\""),
      AllOf(HasSubstr("spec.toml:5: benchmark 'nci'"), testing::ContainsRegex("other.json:[0-9]+: "),
            HasSubstr("of its test molecules are training molecules"), HasSubstr("drop-trained = true")));
}

TEST_F(WrongSpecification, HardPairsWithoutALossThatWeighsThem) {
  EXPECT_THAT(refusal("[[benchmark]]", "[hard-pairs]\npairs = 10\n\n[[benchmark]]"),
              AllOf(HasSubstr("spec.toml:5: [hard-pairs] has no effect"), HasSubstr("loss = \"dpo\"")));
}

}  // namespace
}  // namespace molgauge::test
