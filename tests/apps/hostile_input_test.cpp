// Tests records that could break a reader. Each of them is reported with its line and the reason. The other
// records are encoded, in little memory and within seconds.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "budgets.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kMB = 1000000;
/// The memory that the program needs for two molecules, plus twice the maximum line length of 16 MiB.
constexpr std::uint64_t kModestMemory = 300 * kMB;

class HostileInput : public testing::Test {
 protected:
  /// A file that contains `before`, this many letters C, and `after`.
  std::string long_file(const std::string& name, const std::string& before, std::size_t letters,
                        const std::string& after) const {
    std::ofstream file(place_.path(name), std::ios::binary);
    file << before;
    const std::string piece(kMB, 'C');
    for (std::size_t left = letters; left > 0; left -= std::min(left, kMB)) {
      file.write(piece.data(), static_cast<std::streamsize>(std::min(left, kMB)));
    }
    file << after;
    return place_.path(name);
  }

  /// Records 1 and 3 of the file are molecules. Record 2 is invalid.
  void expect_second_fails(const std::string& file, const std::string& line,
                           const std::string& reason) const {
    const Outcome outcome = place_.encode(file, {"--quiet", "--out", place_.path("features.npy")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err.substr(0, 2000);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(file + ":" + line), HasSubstr(reason)));
    EXPECT_LT(outcome.err.size(), 2000U);
    EXPECT_THAT(outcome.out, HasSubstr("3 records: 2 encoded now"));
    EXPECT_TRUE(is_instrumented() || outcome.peak_resident_bytes < kModestMemory)
        << outcome.peak_resident_bytes;
    EXPECT_THAT(read_file(place_.path("features.failed.csv")), HasSubstr(reason));
    std::filesystem::remove_all(place_.path("store"));
  }
  Workplace place_;
};

TEST_F(HostileInput, ALineOf200MegabytesAmongSmiles) {
  expect_second_fails(long_file("m.smi", "CCO\n", 200 * kMB, "\nCCN\n"), "2",
                      "the line has 200000000 bytes, more than the maximum of 16777216");
}

TEST_F(HostileInput, ALineOf200MegabytesInACsv) {
  expect_second_fails(long_file("m.csv", "id,smiles\n1,CCO\n2,", 200 * kMB, "\n3,CCN\n"), "3",
                      "the row has 200000002 bytes, more than the maximum of 16777216");
}

TEST_F(HostileInput, ALineOf200MegabytesInAnSdf) {
  const std::string methane =
      "methane\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\nM  END\n$$$$\n";
  std::string water = methane;
  water.replace(water.find(" C "), 3, " O ");
  expect_second_fails(long_file("m.sdf", methane + "x\n", 200 * kMB, "\nM  END\n$$$$\n" + water), "8",
                      "more than the maximum of 16777216");
}

TEST_F(HostileInput, AMillionAtoms) {
  expect_second_fails(long_file("m.smi", "CCO\n", kMB, "\nCCN\n"), "2", "more than 2000 atoms (1000000)");
  expect_second_fails(long_file("m.smi", "CCO\n", 2 * kMB, "\nCCN\n"), "2",
                      "the text has 2000000 bytes, more than the maximum of 1048576");
}

TEST_F(HostileInput, ATextWithoutAnEndInDrugOodJson) {
  const std::string item = R"("reg_label": 1, "assay_id": 0, "cls_label": 1, "domain_id": 0})";
  const std::string others = R"(], "iid_val": [], "iid_test": [], "ood_val": [], "ood_test": []}})";
  const std::string file =
      long_file("m.json", R"({"split": {"train": [{"smiles": "CCO", )" + item + R"(, {"smiles": ")", 20 * kMB,
                "\", " + item + R"(, {"smiles": "CCN", )" + item + others);
  expect_second_fails(file, "1", "the text has 20000000 bytes, more than the maximum of 1048576");
}

/// Each of these records has crashed other programs or kept them busy for minutes.
TEST_F(HostileInput, MoleculesThatRdkitFindsHard) {
  std::string deep, crossed;
  for (int i = 0; i < 20000; ++i) {
    deep += "C(";
  }
  for (int i = 10; i < 99; ++i) {
    crossed += "C%" + std::to_string(i);
  }
  const std::string fullerene =
      "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%"
      "11c2c2c7c3"
      "c3c8c4c4c9c5c1c1c6c2c3c41";
  const std::string file =
      place_.file("hard.smi", "CCO\n" + deep + "\n" + crossed + "\n" + fullerene +
                                  "\nc1ccc2c(c1)cc1cccc1c2c1cccc1\nCC(C)(C)(C)(C)C\n" +
                                  std::string(900, 'C') + "\n*1*2*3*4*1*5*2*3*4*5\nCCN\n");
  const Outcome outcome = place_.encode(file, {"--quiet", "--out", place_.path("features.npy")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* line : {"hard.smi:2", "hard.smi:3", "hard.smi:5", "hard.smi:6", "hard.smi:8"}) {
    EXPECT_THAT(outcome.err, HasSubstr(line));
  }
  EXPECT_THAT(outcome.out, HasSubstr("9 records: 4 encoded now"));
}

}  // namespace
}  // namespace molgauge::test
