#include <gmock/gmock.h>

#include "base/io/tables/csv_reader.h"
#include "base/io/tables/csv_writer.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Csv : public testing::Test {
 protected:
  std::vector<CsvRow> rows_of(std::string_view text, char separator = ',') {
    test::write_text(path_, text);
    CsvReader reader(path_.string(), separator);
    std::vector<CsvRow> rows;
    while (auto row = reader.next()) {
      rows.push_back(std::move(*row));
    }
    return rows;
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "x.csv";
};

TEST_F(Csv, SplitsFields) {
  const auto rows = rows_of("a,b,c\n1,,3\n,,");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].fields, ElementsAre("a", "b", "c"));
  EXPECT_THAT(rows[1].fields, ElementsAre("1", "", "3"));
  EXPECT_THAT(rows[2].fields, ElementsAre("", "", ""));
}

TEST_F(Csv, LinesMayEndInCarriageReturnsAlone) {
  const auto rows = rows_of("a,b\r1,\"2\"\r\r3,4");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].fields, ElementsAre("a", "b"));
  EXPECT_THAT(rows[1].fields, ElementsAre("1", "2"));
  EXPECT_THAT(rows[2].fields, ElementsAre("3", "4"));
  EXPECT_EQ(rows[2].line, 4u);
}

TEST_F(Csv, ACarriageReturnWithinALineFeedFileIsContent) {
  const auto rows = rows_of("a,b\n\"x\ry\",2\r\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[1].fields, ElementsAre("x\ry", "2"));
}

TEST_F(Csv, QuotedFieldsMayHoldAnything) {
  const auto rows = rows_of("\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\nx,\"\",z\"z\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].fields, ElementsAre("a,b", "say \"no\"", "two\nlines"));
  EXPECT_THAT(rows[1].fields, ElementsAre("x", "", "z\"z"));
  EXPECT_EQ(rows[0].line, 1u);
  EXPECT_EQ(rows[1].line, 3u);
}

TEST_F(Csv, CarriageReturnsByteOrderMarkAndEmptyLinesAreNoContent) {
  const auto rows = rows_of(
      "\xef\xbb\xbf"
      "a,b\r\n\r\n\n1,\"2\"\r\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].fields, ElementsAre("a", "b"));
  EXPECT_THAT(rows[1].fields, ElementsAre("1", "2"));
  EXPECT_EQ(rows[1].line, 4u);
}

TEST_F(Csv, TabsSeparateToo) { EXPECT_THAT(rows_of("a\tb,c\n", '\t')[0].fields, ElementsAre("a", "b,c")); }

TEST_F(Csv, StructuralDamageNamesTheLine) {
  EXPECT_THAT(error_of([&] { rows_of("a\nb\n\"c\nd\n"); }), HasSubstr("x.csv:3: "));
  EXPECT_THAT(error_of([&] { rows_of("a\n\"b\" c\n"); }), HasSubstr("x.csv:2: text follows"));
  EXPECT_THAT(error_of([&] { rows_of(std::string_view("a\nb\0c\n", 6)); }), HasSubstr("x.csv:2: "));
}

TEST_F(Csv, WriterQuotesSoThatTheReaderGetsTheSame) {
  const std::vector<std::string> header = {"line", "input"}, row = {"1", "a,\"b\"\nc"};
  CsvWriter writer(path_, header);
  writer.append(row);
  EXPECT_THROW(writer.append({"only one"}), Error);
  EXPECT_FALSE(std::filesystem::exists(path_));
  writer.finish();
  CsvReader reader(path_.string(), ',');
  EXPECT_EQ(reader.next()->fields, header);
  EXPECT_EQ(reader.next()->fields, row);
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace molgauge::io
