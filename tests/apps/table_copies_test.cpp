// Tests the options --workbook and --sdf of `molgauge domain` and `molgauge predict`.

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "command.h"
#include "molecules/files/molecule_reader.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class TableCopies : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return place_.path(name); }

  Outcome run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--store", path("store"), "--log-level", "warn"});
    return molgauge(words);
  }

  Outcome predict(const std::string& list, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"predict", model_, list, "--out", path("table.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }

  /// The rows of a table, as texts of the named columns.
  static std::vector<std::vector<std::string>> rows_of(const std::string& file,
                                                       const std::vector<std::string>& columns) {
    const auto reader = io::open_molecules(file, {.extra_columns = columns});
    std::vector<std::vector<std::string>> rows;
    while (const auto row = reader->next()) {
      rows.push_back(row->fields);
    }
    return rows;
  }

  Workplace place_;
  std::string model_ = (own_data("chemprop") / "v2_regression.pt").string();
  std::string list_ = place_.file("list.csv",
                                  "smiles,name,note\nCC(=O)Oc1ccccc1C(=O)O,aspirin,\"two\nlines\"\n"
                                  "nonsense,bad,x\nC[C@H](N)C(=O)O,alanine,$$$$\nCCO.Cl,salt,=1+1\n");
};

TEST_F(TableCopies, HaveTheRowsAndColumnsOfTheTable) {
  const Outcome outcome =
      predict(list_, {"--workbook", path("table.xlsx"), "--sdf", path("table.sdf"), "--describe"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("table.sdf: 1 molecule left out"));
  const std::vector<std::string> columns = {"smiles", "name", "task_0", "parent_prediction_differs", "log_p"};
  const auto table = rows_of(path("table.csv"), columns);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(rows_of(path("table.xlsx"), columns), table);
  EXPECT_EQ(rows_of(path("table.sdf"), columns),
            (std::vector<std::vector<std::string>>{table[0], table[2], table[3]}));
}

TEST_F(TableCopies, TextsThatWouldEndARecordDoNot) {
  ASSERT_EQ(predict(list_, {"--sdf", path("table.sdf")}).exit_code, 0);
  const auto notes = rows_of(path("table.sdf"), {"note"});
  EXPECT_EQ(notes, (std::vector<std::vector<std::string>>{{"two lines"}, {" $$$$"}, {"=1+1"}}));
}

TEST_F(TableCopies, StructuresOfAnSdfHaveThePredictionsOfTheInput) {
  ASSERT_EQ(predict(list_, {"--sdf", path("first.sdf")}).exit_code, 0);
  ASSERT_EQ(
      run({"predict", model_, path("first.sdf"), "--out", path("second.csv"), "--sdf", path("second.sdf")})
          .exit_code,
      0);
  const auto first = rows_of(path("table.csv"), {"task_0"});
  EXPECT_EQ(rows_of(path("second.csv"), {"task_0_2"}).size(), 3U);
  EXPECT_EQ(rows_of(path("second.sdf"), {"name", "task_0"}), rows_of(path("first.sdf"), {"name", "task_0"}));
  const std::string block = read_file(path("first.sdf")).substr(0, 200);
  EXPECT_THAT(read_file(path("second.sdf")), testing::StartsWith(block));
}

TEST_F(TableCopies, LargeMoleculesStayOnlyIfTheInputHasTheirCoordinates) {
  const std::string list = place_.file("large.smi", std::string(201, 'C') + " large\nCCO small\n");
  const Outcome outcome = predict(list, {"--sdf", path("table.sdf")});
  EXPECT_THAT(outcome.err, HasSubstr("1 molecule left out"));
  EXPECT_EQ(rows_of(path("table.sdf"), {"name"}), (std::vector<std::vector<std::string>>{{"small"}}));
  std::string block = "large\n\n\n201200  0  0  0  0  0  0  0  0999 V2000\n";
  for (int i = 0; i < 201; ++i) {
    block += "    0.0000    0.0000    0.0000 C   0  0\n";
  }
  for (int i = 1; i < 201; ++i) {
    block += fmt::format("{:3}{:3}  1  0\n", i, i + 1);
  }
  const std::string drawn = place_.file("large.sdf", block + "M  END\n$$$$\n");
  ASSERT_EQ(predict(drawn, {"--sdf", path("kept.sdf")}).exit_code, 0);
  EXPECT_THAT(read_file(path("kept.sdf")), testing::StartsWith(block));
}

TEST_F(TableCopies, TheDomainWritesThemToo) {
  const Outcome outcome =
      run({"domain", place_.nci_molecules(60), list_, "--encoder", "ecfp", "--out", path("domain.csv"),
           "--workbook", path("domain.xlsx"), "--sdf", path("domain.sdf")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(path("domain.sdf")));
  const std::vector<std::string> columns = {"name", "domain", "domain_p_value", "nearest_1_smiles"};
  const auto table = rows_of(path("domain.csv"), columns);
  EXPECT_EQ(rows_of(path("domain.xlsx"), columns), table);
  EXPECT_EQ(rows_of(path("domain.sdf"), columns),
            (std::vector<std::vector<std::string>>{table[0], table[2], table[3]}));
}

TEST_F(TableCopies, WrongNamesAreRefusedBeforeTheWork) {
  const auto refusal = [&](const std::vector<std::string>& more) {
    const Outcome outcome = predict(list_, more);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("table.csv")));
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--workbook", path("table.xls")}), HasSubstr("does not end in .xlsx"));
  EXPECT_THAT(refusal({"--sdf", path("table.mol")}), HasSubstr("does not end in .sdf"));
  EXPECT_THAT(refusal({"--sdf", path("nowhere/table.sdf")}), HasSubstr("does not exist"));
}

}  // namespace
}  // namespace molgauge::test
