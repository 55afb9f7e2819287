#include "molecules/files/molecule_reader.h"

#include <gmock/gmock.h>

#include "files.h"
#include "gzip.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Molecules : public testing::Test {
 protected:
  std::vector<MoleculeRow> read(const std::string& name, std::string_view text,
                                const MoleculeReaderOptions& options = {}) {
    test::write_text(folder_ / name, text);
    const auto reader = open_molecules((folder_ / name).string(), options);
    std::vector<MoleculeRow> rows;
    while (auto row = reader->next()) {
      EXPECT_EQ(row->record.row, rows.size());
      EXPECT_EQ(row->record.file, (folder_ / name).string());
      rows.push_back(std::move(*row));
    }
    return rows;
  }

  const test::TemporaryFolder folder_;
};

std::vector<std::string> texts(const std::vector<MoleculeRow>& rows) {
  std::vector<std::string> found;
  for (const MoleculeRow& row : rows) {
    found.push_back(row.record.text);
  }
  return found;
}

std::vector<std::size_t> lines(const std::vector<MoleculeRow>& rows) {
  std::vector<std::size_t> found;
  for (const MoleculeRow& row : rows) {
    found.push_back(row.record.line);
  }
  return found;
}

TEST_F(Molecules, CsvGivesTheColumnTrimmedWithLineAndFields) {
  const auto rows = read("a.csv", "id,SMILES,label\r\n1, CCO ,0\r\n\"two\nlines\",C,1\r\n3,,\r\n",
                         {"smiles", {"label", "id"}});
  EXPECT_THAT(texts(rows), ElementsAre("CCO", "C", ""));
  EXPECT_THAT(lines(rows), ElementsAre(2, 3, 5));
  EXPECT_THAT(rows[1].fields, ElementsAre("1", "two\nlines"));
  EXPECT_EQ(rows[0].record.format, chem::RecordFormat::smiles);
}

TEST_F(Molecules, TsvAndGzip) {
  EXPECT_THAT(texts(read("a.tsv", "mol\tname\nCC,O\tx\n", {"mol", {}})), ElementsAre("CC,O"));
  EXPECT_THAT(texts(read("a.csv.gz", test::gzip("smiles\nCCO\n"))), ElementsAre("CCO"));
  EXPECT_THAT(texts(read("A.SMI", test::gzip("CCO\n"))), ElementsAre("CCO"));
}

TEST_F(Molecules, CsvErrorsNameLineAndFix) {
  const std::string missing = error_of([&] { read("a.csv", "id,drug\n1,C\n"); });
  EXPECT_THAT(missing, HasSubstr("id, drug"));
  EXPECT_THAT(missing, HasSubstr("--smiles-column"));
  EXPECT_THAT(error_of([&] { read("a.csv", "smiles\nC\n", {"smiles", {"label"}}); }), HasSubstr("\"label\""));
  EXPECT_THAT(error_of([&] { read("a.csv", "smiles,smiles\nC,C\n"); }),
              HasSubstr("several columns are named"));
  EXPECT_THAT(error_of([&] { read("a.csv", ""); }), HasSubstr("is empty"));
}

TEST_F(Molecules, ExactColumnNameComesFirst) {
  EXPECT_THAT(texts(read("a.csv", "SMILES,smiles\nC,N\n")), ElementsAre("N"));
}

TEST_F(Molecules, SmilesLinesHaveNamesCommentsAndExtensions) {
  const auto rows = read(
      "a.smi", "# made by hand\n\nSMILES Name\nCCO ethanol, pure\r\n  C\tmethane\nC[*] |$;R1$| a name\nN\n",
      {"smiles", {"name"}});
  EXPECT_THAT(texts(rows), ElementsAre("CCO", "C", "C[*] |$;R1$|", "N"));
  EXPECT_THAT(lines(rows), ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(rows[0].fields[0], "ethanol, pure");
  EXPECT_EQ(rows[2].fields[0], "a name");
  EXPECT_EQ(rows[3].fields[0], "");
}

TEST_F(Molecules, OnlyTheFirstLineCanBeAHeader) {
  EXPECT_THAT(texts(read("a.txt", "canonical_smiles\nC\nsmiles\n")), ElementsAre("C", "smiles"));
}

TEST_F(Molecules, OptionsWithoutEffectAreRefused) {
  EXPECT_THROW(read("a.smi", "C\n", {"mol", {}}), UsageError);
  EXPECT_THROW(read("a.sdf", "", {"mol", {}}), UsageError);
  EXPECT_THROW(read("a.smi", "C\n", {"smiles", {"label"}}), InputError);
}

constexpr std::string_view kSdf =
    "first\n  x\n\n  0  0  0     0  0            999 V2000\nM  END\n"
    "> <label>\n1\n\n>  25  <note> (3)\ntwo\nlines\n\n$$$$\n"
    "\n\n\n  0  0\nM  END\n$$$$\n"
    "broken\nno end\n$$$$\n"
    "last\nM  END\n\n";

TEST_F(Molecules, SdfGivesBlocksLinesAndData) {
  const auto rows = read("a.sdf", kSdf, {"smiles", {"label", "note", "name"}});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].record.format, chem::RecordFormat::molblock);
  EXPECT_EQ(rows[0].record.text, "first\n  x\n\n  0  0  0     0  0            999 V2000\nM  END\n");
  EXPECT_THAT(rows[0].fields, ElementsAre("1", "two\nlines", "first"));
  EXPECT_THAT(rows[1].fields, ElementsAre("", "", ""));
  EXPECT_EQ(rows[1].record.text, "\n\n\n  0  0\nM  END\n");
  EXPECT_EQ(rows[2].record.text, "broken\nno end\n");
  EXPECT_EQ(rows[3].record.text, "last\nM  END\n");
  EXPECT_THAT(lines(rows), ElementsAre(1, 14, 20, 23));
}

TEST_F(Molecules, SdfWithCarriageReturnsIsTheSame) {
  std::string text;
  for (const char letter : kSdf) {
    text += letter == '\n' ? "\r\n" : std::string(1, letter);
  }
  EXPECT_EQ(texts(read("b.sdf", text)), texts(read("a.sdf", kSdf)));
}

TEST_F(Molecules, DrugOodGivesTheFieldsOfEachPart) {
  const auto rows = read("a.json", R"({"split": {
    "train": [{"smiles": "C", "reg_label": 5.5, "assay_id": 1, "cls_label": 1, "domain_id": 2}],
    "ood_val": [], "iid_val": [], "iid_test": [],
    "ood_test": [
      {"smiles": " N ", "reg_label": 4, "assay_id": 3, "cls_label": 0, "domain_id": 4, "protein": "MK"}]}})",
                         {"smiles", {"split", "cls_label", "reg_label", "assay_id", "domain_id", "protein"}});
  EXPECT_THAT(texts(rows), ElementsAre("C", "N"));
  EXPECT_THAT(lines(rows), ElementsAre(2, 5));
  EXPECT_THAT(rows[0].fields, ElementsAre("train", "1", "5.5", "1", "2", ""));
  EXPECT_THAT(rows[1].fields, ElementsAre("ood_test", "0", "4", "3", "4", "MK"));
}

/// DrugOOD files order their parts in another way than molgauge split.
TEST_F(Molecules, DrugOodGivesTheRowsInTheOrderOfTheFile) {
  const auto item = [](const std::string& smiles) {
    return R"({"smiles": ")" + smiles +
           R"(", "reg_label": 5, "assay_id": 1, "cls_label": 1, "domain_id": 2})";
  };
  std::string text = R"({"split": {)";
  const char* separator = "";
  for (const std::string part : {"ood_test", "train", "iid_val", "ood_val", "iid_test"}) {
    text += separator + ("\n\"" + part) + "\": [\n" + item("C" + part) + ",\n" + item("N" + part) + "]";
    separator = ",";
  }
  const auto rows = read("a.json", text + "}}", {"smiles", {"split"}});
  EXPECT_THAT(texts(rows), ElementsAre("Cood_test", "Nood_test", "Ctrain", "Ntrain", "Ciid_val", "Niid_val",
                                       "Cood_val", "Nood_val", "Ciid_test", "Niid_test"));
  EXPECT_THAT(lines(rows), ElementsAre(3, 4, 6, 7, 9, 10, 12, 13, 15, 16));
  EXPECT_EQ(rows[0].fields.front(), "ood_test");
}

TEST_F(Molecules, RefusesJunkFoldersAndUnknownNames) {
  EXPECT_THAT(error_of([&] { read("a.smi", std::string_view("CC\nC\0C\n", 7)); }), HasSubstr("a.smi:2: "));
  EXPECT_THAT(error_of([&] { read("a.ods", "PK"); }), HasSubstr("Save it as .xlsx or .csv"));
  EXPECT_THAT(error_of([&] { open_molecules(folder_.path().string()); }), HasSubstr("folder"));
  EXPECT_THAT(error_of([&] { open_molecules((folder_ / "absent.csv").string()); }), HasSubstr("absent.csv"));
  EXPECT_THAT(error_of([&] { open_molecules((folder_ / "absent").string()); }), HasSubstr("Check the path"));
}

TEST_F(Molecules, AllColumnsAsTheyStandInTheInput) {
  MoleculeReaderOptions options;
  options.own_columns = OwnColumns::of_tables;
  options.smiles_column = "mol";
  const auto rows = read("all.csv", "id,Mol,id\n1, CCO ,\"a,b\"\n", options);
  EXPECT_THAT(rows.at(0).fields, ElementsAre("1", " CCO ", "a,b"));
  const auto reader = open_molecules((folder_ / "all.csv").string(), options);
  EXPECT_THAT(reader->columns(), ElementsAre("id", "Mol", "id"));
  EXPECT_EQ(reader->smiles_field(), 1u);
  options.smiles_column = "smiles";
  EXPECT_THAT(read("all.smi", "CCO ethanol\nC\n", options).at(0).fields, ElementsAre("ethanol"));
  EXPECT_THAT(open_molecules((folder_ / "all.smi").string(), options)->columns(), ElementsAre("name"));
  EXPECT_THAT(read("all.sdf", "title\n\n\n\nM  END\n> <name>\nother\n\n$$$$\n", options).at(0).fields,
              ElementsAre("title"));
}

/// Data fields of an .sdf become columns when they first occur. A record without a title gets its name from
/// its data.
TEST_F(Molecules, DataFieldsAreColumns) {
  MoleculeReaderOptions options;
  options.own_columns = OwnColumns::of_tables;
  const std::string text =
      "one\n\n\n\nM  END\n> <logP>\n1.5\n\n$$$$\n\n\n\n\nM  END\n> <batch>\nB7\nC\n\n> <name>\ntwo\n\n$$$$\n";
  const auto rows = read("fields.sdf", text, options);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].fields, ElementsAre("one", "1.5"));
  EXPECT_THAT(rows[1].fields, ElementsAre("two", "", "B7\nC"));
  const auto reader = open_molecules((folder_ / "fields.sdf").string(), options);
  while (reader->next()) {
  }
  EXPECT_THAT(reader->columns(), ElementsAre("name", "logP", "batch"));
}

TEST(NameInRow, IsTheNameElseTheId) {
  const std::vector<std::string> columns = {"ID", "smiles", "Name"};
  EXPECT_EQ(name_in_row(columns, std::vector<std::string>{"7", "CCO", "ethanol"}), "ethanol");
  EXPECT_EQ(name_in_row(columns, std::vector<std::string>{"7", "CCO", ""}), "7");
  EXPECT_EQ(name_in_row(columns, std::vector<std::string>{"7"}), "7");
  EXPECT_EQ(name_in_row({"smiles"}, std::vector<std::string>{"CCO"}), "");
}

}  // namespace
}  // namespace molgauge::io
