#include "base/io/tables/workbook_writer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/bytes/zip.h"
#include "molecules/files/molecule_reader.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using testing::HasSubstr;
using testing::Not;

class WorkbookWriterTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string sheet_of(const std::string& csv) const {
    replace_file(path("table.csv"), csv);
    write_workbook(path("table.csv"), path("table.xlsx"));
    const auto bytes = ZipArchive(path("table.xlsx")).read("xl/worksheets/sheet1.xml");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  test::TemporaryFolder folder_;
};

TEST_F(WorkbookWriterTest, OurReaderFindsTheSameMolecules) {
  sheet_of("name,smiles,value\nfirst,CCO,1.5\n\"a, b\",\"C<N\",\nlast,CCN,-2e-05\n");
  MoleculeReaderOptions options;
  options.own_columns = OwnColumns::all;
  const auto reader = open_molecules(path("table.xlsx"), options);
  const auto first = reader->next(), second = reader->next(), last = reader->next();
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(first->record.text, "CCO");
  EXPECT_EQ(first->fields.at(2), "1.5");
  EXPECT_EQ(second->record.text, "C<N");
  EXPECT_EQ(last->record.text, "CCN");
  EXPECT_FALSE(reader->next().has_value());
}

TEST_F(WorkbookWriterTest, KeepsNumbersAndTexts) {
  const std::string sheet = sheet_of("a,b\n0.25,007\n12345678901234567890,=1+1\n-3,nan\n");
  EXPECT_THAT(sheet, HasSubstr(R"(<c r="A2"><v>0.25</v></c>)"));
  EXPECT_THAT(sheet, HasSubstr(R"(<c r="A4"><v>-3</v></c>)"));
  for (const char* const text : {"007", "12345678901234567890", "=1+1", "nan"}) {
    EXPECT_THAT(sheet, Not(HasSubstr(std::string("<v>") + text)));
    EXPECT_THAT(sheet, HasSubstr(std::string(">") + text + "</t>"));
  }
}

TEST_F(WorkbookWriterTest, ReplacesWhatXmlCannotContain) {
  const std::string sheet = sheet_of(std::string("a\nx\x01y\nx\xFFy\n"));
  EXPECT_THAT(sheet, HasSubstr("x\uFFFDy"));
  EXPECT_THAT(sheet, Not(HasSubstr("\x01")));
}

TEST_F(WorkbookWriterTest, ShortensVeryLongTexts) {
  const std::string sheet = sheet_of("a\n" + std::string(40'000, 'C') + "\n");
  EXPECT_THAT(sheet, HasSubstr("... (shortened)"));
  EXPECT_LT(sheet.size(), 34'000U);
}

TEST_F(WorkbookWriterTest, NamesColumnsBeyondZ) {
  std::string header = "a", row = "1";
  for (int i = 1; i < 30; ++i) {
    header += ",a" + std::to_string(i);
    row += ",1";
  }
  EXPECT_THAT(sheet_of(header + "\n" + row + "\n"), HasSubstr(R"(<c r="AD2"><v>1</v></c>)"));
}

}  // namespace
}  // namespace molgauge::io
