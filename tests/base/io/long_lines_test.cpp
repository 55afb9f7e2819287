// Tests a record that is too large for a molecule. It is reported with its line, in little memory, and the
// records around it are read.

#include <fstream>

#include <gmock/gmock.h>

#include "base/io/bytes/line_reader.h"
#include "base/io/tables/drugood_json.h"
#include "files.h"
#include "molecules/files/molecule_reader.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const std::string kLong(kLongestLine + 10, 'C');

class LongLines : public testing::Test {
 protected:
  std::vector<MoleculeRow> read(const std::string& name, const std::string& text,
                                const MoleculeReaderOptions& options = {}) {
    test::write_text(folder_ / name, text);
    const auto reader = open_molecules((folder_ / name).string(), options);
    std::vector<MoleculeRow> rows;
    while (auto row = reader->next()) {
      rows.push_back(std::move(*row));
    }
    return rows;
  }
  static void expect_second_is_unreadable(const std::vector<MoleculeRow>& rows, const std::string& reason) {
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_EQ(rows[0].record.unreadable, "");
    EXPECT_THAT(rows[1].record.unreadable, HasSubstr(reason));
    EXPECT_LE(rows[1].record.text.size(), 200U);
    EXPECT_EQ(rows[1].record.row, 1U);
    EXPECT_EQ(rows[2].record.unreadable, "");
    EXPECT_EQ(rows[2].record.row, 2U);
  }
  const test::TemporaryFolder folder_;
};

TEST_F(LongLines, OfSmilesArePassedOver) {
  const auto rows = read("a.smi", "CCO\n" + kLong + "\nCCN\n", {.extra_columns = {"name"}});
  expect_second_is_unreadable(rows, "16777226 bytes, more than the maximum of 16777216");
  EXPECT_EQ(rows[1].record.line, 2U);
  EXPECT_EQ(rows[2].record.text, "CCN");
}

TEST_F(LongLines, OfCsvArePassedOver) {
  const auto rows = read("a.csv", "id,smiles\n1,CCO\n2," + kLong + "\n3,CCN\n", {.extra_columns = {"id"}});
  expect_second_is_unreadable(rows, "more than the maximum of 16777216");
  EXPECT_EQ(rows[1].record.line, 3U);
  EXPECT_THAT(rows[1].fields, ElementsAre(""));
  EXPECT_THAT(rows[2].fields, ElementsAre("3"));
  expect_second_is_unreadable(read("b.csv", "id,smiles\n1,CCO\n\"2\"," + kLong + "\n3,CCN\n"),
                              "more than the maximum");
}

TEST_F(LongLines, OfCsvThatLeaveAQuoteOpenAreAnError) {
  for (const std::string& row : {"\"2," + kLong + "\n", "\"2\n" + kLong}) {
    EXPECT_THAT(error_of([&] { read("a.csv", "id,smiles\n1,CCO\n" + row + "\",CC\n3,CCN\n"); }),
                AllOf(HasSubstr("a.csv:3"), HasSubstr("quote")));
  }
}

TEST_F(LongLines, OfSdfArePassedOver) {
  const std::string whole = "x\n\n\nM  END\n$$$$\n";
  expect_second_is_unreadable(read("a.sdf", whole + "y\n\n" + kLong + "\nM  END\n$$$$\n" + whole),
                              "Is a line with $$$$ missing?");
}

TEST_F(LongLines, OfTextsNoLineOfWhichIsLongAreCut) {
  std::string many_lines;
  for (int i = 0; i < 300000; ++i) {
    many_lines += "M  V30 \n";
  }
  const std::string whole = "x\n\n\nM  END\n$$$$\n";
  expect_second_is_unreadable(read("a.sdf", whole + many_lines + "M  END\n$$$$\n" + whole), "1048576");
  const std::string long_text(2 << 20, 'C');
  expect_second_is_unreadable(read("a.smi", "C\n" + long_text + "\nN\n"), "2097152 bytes");
  expect_second_is_unreadable(read("a.csv", "smiles\nC\n" + long_text + "\nN\n"), "2097152 bytes");
}

TEST_F(LongLines, OfJsonAreNothingSpecial) {
  const auto item = [](const std::string& smiles) {
    return R"({"smiles": ")" + smiles +
           R"(", "reg_label": 1, "assay_id": 0, "cls_label": 1, "domain_id": 0})";
  };
  const std::string text = R"({"split": {"train": [)" + item("CCO") + "," + item(kLong) + "," + item("CCN") +
                           R"(], "iid_val": [], "iid_test": [], "ood_val": [], "ood_test": []}})";
  expect_second_is_unreadable(read("a.json", text), "16777226 bytes");
}

TEST_F(LongLines, AreErrorsWhereNobodyAskedForThemToBeCut) {
  test::write_text(folder_ / "a", kLong + "\n");
  LineReader lines((folder_ / "a").string());
  EXPECT_THAT(error_of([&] { lines.next(); }), AllOf(HasSubstr("a:1"), HasSubstr("16777216")));
}

}  // namespace
}  // namespace molgauge::io
