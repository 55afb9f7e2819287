// One list of eight molecules in the forms in which people keep it. tests/fixtures/files/plain.csv is the
// plain form.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/watched_inputs.h"
#include "files.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"
#include "molecules/files/molecule_reader.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct WrittenList {
  std::string file;
  std::vector<std::string> columns = {"name", "value"};
};

struct Row {
  std::string molecule;
  std::vector<std::string> fields;
  bool operator==(const Row&) const = default;
};

std::vector<Row> rows_of(const std::string& path, const std::vector<std::string>& columns) {
  const auto reader = open_molecules(path, {.extra_columns = columns});
  std::vector<Row> rows;
  while (const auto row = reader->next()) {
    rows.push_back({chem::identify(row->record, false).canonical_smiles, row->fields});
  }
  return rows;
}

std::string file(const std::string& name) { return test::own_data("files/" + name).string(); }

class WrittenLists : public testing::TestWithParam<WrittenList> {};

TEST_P(WrittenLists, GiveTheRowsOfThePlainList) {
  std::vector<Row> expected = rows_of(file("plain.csv"), {"name", "value"});
  ASSERT_EQ(expected.size(), 8);
  for (Row& row : expected) {
    row.fields.resize(GetParam().columns.size());
    if (std::string& value = row.fields.back(); GetParam().file == "sheet.xlsx" && value.ends_with(".0")) {
      value.resize(value.size() - 2);  // a spreadsheet contains numbers, not their texts
    }
  }
  EXPECT_EQ(rows_of(file(GetParam().file), GetParam().columns), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Files, WrittenLists,
    testing::Values(WrittenList{"bar.csv"}, WrittenList{"bom.csv"}, WrittenList{"comment.csv"},
                    WrittenList{"cr.csv"}, WrittenList{"crlf.csv"},
                    WrittenList{"header_canonical_smiles.csv"}, WrittenList{"header_structure.csv"},
                    WrittenList{"header_upper.csv"}, WrittenList{"index.csv"},
                    WrittenList{"name_first.tsv", {"ID", "value"}}, WrittenList{"names.smi", {"name"}},
                    WrittenList{"names_tab.smi", {"name"}},
                    WrittenList{"no_header.csv", {"name", "column_3"}},
                    WrittenList{"no_header.tsv", {"name", "column_3"}}, WrittenList{"plain.csv.bz2"},
                    WrittenList{"plain.csv.gz"}, WrittenList{"plain.csv.xz"}, WrittenList{"plain.csv.zst"},
                    WrittenList{"plain.zip"}, WrittenList{"records.json"}, WrittenList{"records.jsonl"},
                    WrittenList{"sheet.xlsx"}, WrittenList{"semicolon.csv"},
                    WrittenList{"semicolon_quoted.csv"}, WrittenList{"sep_line.csv"}, WrittenList{"tab.tsv"},
                    WrittenList{"utf16.tsv"}, WrittenList{"v2000.sdf"}, WrittenList{"v3000.sdf"}),
    [](const auto& list) {
      std::string name = list.param.file;
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

class TextLists : public testing::Test {
 protected:
  std::vector<Row> read(const std::string& name, const std::string& text,
                        const std::vector<std::string>& columns) const {
    test::write_text(folder_ / name, text);
    return rows_of((folder_ / name).string(), columns);
  }
  const test::TemporaryFolder folder_;
};

TEST_F(TextLists, MayHaveTheNameBeforeTheSmiles) {
  EXPECT_THAT(read("a.txt", "ethanol\tCCO\nphenol\tOc1ccccc1\n", {"name"}),
              ElementsAre(Row{"CCO", {"ethanol"}}, Row{"Oc1ccccc1", {"phenol"}}));
  EXPECT_THAT(read("b.txt", "Name\tStructure\tvalue\nethanol\tCCO\t5\n", {"name"}),
              ElementsAre(Row{"CCO", {"ethanol"}}));
}

TEST_F(TextLists, KeepNamesWithCommasInTablesWithSemicolons) {
  EXPECT_THAT(read("a.csv", "smiles;name;x;note\nCCO;2,4;-5,25e2;1,2,3\n", {"name", "x", "note"}),
              ElementsAre(Row{"CCO", {"2,4", "-5.25e2", "1,2,3"}}));
}

TEST_F(TextLists, MayHaveDecimalCommasInTablesWithTabs) {
  EXPECT_THAT(read("a.tsv", "smiles\tname\tx\ty\nCCO\t2,4\t-5,25\t1,234\n", {"name", "x", "y"}),
              ElementsAre(Row{"CCO", {"2,4", "-5.25", "1,234"}}));
  EXPECT_THAT(read("b.csv", "smiles,x\nCCO,\"5,3\"\n", {"x"}), ElementsAre(Row{"CCO", {"5,3"}}));
}

TEST_F(TextLists, HaveAHeaderIfItNamesNoMolecule) {
  EXPECT_THAT(test::error_of([&] { read("a.csv", "N,ID\n7,CCO\n", {}); }),
              HasSubstr("The columns are: N, ID"));
  EXPECT_THAT(read("b.csv", "#smiles;name\nCCO;a\n", {"name"}), ElementsAre(Row{"CCO", {"a"}}));
  EXPECT_THAT(read("c.csv", "smiles\nC[C@H](O)F |a:1|\n", {}).size(), 1);
}

TEST_F(TextLists, OfUtf16MayBeBigEndianAndHaveSurrogates) {
  std::string big("\xfe\xff", 2);
  for (const char16_t unit : std::u16string_view(u"smiles,name\nCCO,\u00e9\u20ac\U0001d11e\n")) {
    big += static_cast<char>(unit >> 8);
    big += static_cast<char>(unit & 0xff);
  }
  EXPECT_THAT(read("a.csv", big, {"name"}), ElementsAre(Row{"CCO", {"\u00e9\u20ac\U0001d11e"}}));
  EXPECT_THAT(test::error_of([&] { read("b.csv", big + "x", {"name"}); }),
              HasSubstr("ends in the middle of a character"));
}

/// A truncated file must not look like a shorter list.
TEST_F(TextLists, OfJsonRecordsMayLackKeys) {
  const std::vector<Row> expected{{"CCO", {"ethanol", ""}}, {"Oc1ccccc1", {"", "6.5"}}};
  EXPECT_EQ(read("a.json", R"([{"Name": "ethanol", "SMILES": "CCO"}, {"SMILES": "Oc1ccccc1", "y": 6.5}])",
                 {"name", "y"}),
            expected);
  EXPECT_EQ(read("a.jsonl",
                 "{\"Name\": \"ethanol\", \"SMILES\": \"CCO\"}\n\n{\"SMILES\": \"Oc1ccccc1\", \"y\": 6.5}\n",
                 {"name", "y"}),
            expected);
}

TEST_F(TextLists, OfJsonThatAreNoRecordsAreNamed) {
  const auto reason = [&](const std::string& name, const std::string& text) {
    try {
      read(name, text, {});
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_THAT(reason("a.jsonl", "{\"smiles\": \"C\"}\n{\"smiles\n"), HasSubstr("a.jsonl:2: invalid JSON"));
  EXPECT_THAT(reason("b.jsonl", "{\"smiles\": \"C\"}\n[1]\n"),
              HasSubstr("b.jsonl:2: the record is not an object"));
  EXPECT_THAT(reason("a.json", "[1, 2]"), HasSubstr("a.json:1: the record is not an object"));
  EXPECT_THAT(reason("b.json", "[]"), HasSubstr("b.json: is empty"));
  EXPECT_THAT(reason("c.json", "[{\"smiles\": \"C\"}"), HasSubstr("c.json: invalid JSON"));
  EXPECT_THAT(reason("d.json", "[{\"drawing\": \"C\"}]"), HasSubstr("no column \"smiles\""));
}

TEST_F(TextLists, ThatAreCompressedAreRefusedIfTruncated) {
  for (const std::string name :
       {"plain.csv.gz", "plain.csv.bz2", "plain.csv.xz", "plain.csv.zst", "plain.zip", "sheet.xlsx"}) {
    const std::string whole = read_file(file(name));
    for (const std::size_t left : {std::size_t{1}, std::size_t{7}, whole.size() / 2}) {
      EXPECT_THAT(test::error_of([&] { read(name, whole.substr(0, whole.size() - left), {}); }),
                  HasSubstr(name))
          << name << left;
    }
  }
}

TEST(ShortRow, IsAnErrorOfThisRowOnly) {
  const auto reader = open_molecules(file("wrong_row.csv"), {.extra_columns = {"name"}});
  const auto wrong = reader->next(), right = reader->next();
  EXPECT_THAT(wrong->record.unreadable, HasSubstr("the row has 2 fields, the header has 3"));
  EXPECT_EQ(wrong->record.text, "CCO");
  EXPECT_EQ(right->record.unreadable, "");
  EXPECT_THAT(right->fields, ElementsAre("phenol"));
}

TEST(NamesOfMolecules, AreCalledNames) {
  const auto reason = [](const std::string& text) {
    return test::error_of([&] { chem::perceive({.text = text, .file = {}}, {}); });
  };
  for (const char* const name : {"ethanol", "ASPIRIN", "acetic acid", "2-methylpropane", "Vitamin C"}) {
    EXPECT_THAT(reason(name), HasSubstr("looks like a name")) << name;
  }
  EXPECT_THAT(reason("50-78-2"), HasSubstr("is a CAS number"));
  EXPECT_THAT(reason("BSYNRYMUTXBXSQ-UHFFFAOYSA-N"), HasSubstr("is an InChIKey"));
  for (const char* const smiles :
       {"CC(", "c1ccccc", "Clc1ccc(Br)cc", "[nH]1cccc", "CC O", "C[Sixx]", "CCO ethanol"}) {
    EXPECT_THAT(reason(smiles), testing::Not(HasSubstr("looks like a name"))) << smiles;
  }
}

/// The filters of bzip2 and xz do not read to the end of the file.
TEST(WrittenListsThatChange, AreRefusedAlsoIfTheyArePacked) {
  const std::vector<std::string> names = {"plain.csv.gz", "plain.csv.bz2", "plain.csv.xz", "plain.csv.zst",
                                          "plain.csv.bz2"};
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    const test::TemporaryFolder folder;
    const std::string path = (folder / "plain.csv.bz2").string();
    replace_file(path, read_file(file(names[i])));
    const WatchedInputs watched;
    watch_input(path);
    EXPECT_EQ(rows_of(path, {"name"}).size(), 8U) << names[i];
    EXPECT_EQ(rows_of(path, {"name"}).size(), 8U) << names[i];
    replace_file(path, read_file(file(names[i + 1])));
    EXPECT_THROW(rows_of(path, {"name"}), InputError) << names[i];
  }
}

}  // namespace
}  // namespace molgauge::io
