#include "base/page/text_table.h"

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::page {
namespace {

TEST(TextTable, AlignsNumbersToTheRight) {
  TextTable table({"molecule", "energy"});
  table.add_row({"CCO", "-0.5"});
  table.add_row({"c1ccccc1", "12.25"});
  EXPECT_EQ(table.to_string(),
            "  molecule  energy\n"
            "  --------  ------\n"
            "  CCO         -0.5\n"
            "  c1ccccc1   12.25\n");
}

TEST(TextTable, ShortensLongCells) {
  TextTable table({"molecule"});
  const std::string longest(TextTable::kMaxCellLength, 'C');
  table.add_row({longest});
  table.add_row({longest + "C"});
  EXPECT_NE(table.to_string().find("  " + longest + "\n"), std::string::npos);
  EXPECT_NE(table.to_string().find("  " + longest.substr(3) + "...\n"), std::string::npos);
}

TEST(TextTable, CountsCharactersAndShowsControlCharacters) {
  TextTable table({"AUROC", "name"});
  table.add_row({"0.9 \u00B1 0.1", "a\n\x1b[2J"});
  table.add_row({"none", "b"});
  EXPECT_EQ(table.to_string(),
            "  AUROC      name\n"
            "  ---------  ----------\n"
            "  0.9 \u00B1 0.1  a\\n\\x1b[2J\n"
            "  none       b\n");
}

TEST(TextTable, RefusesARowOfAnotherWidth) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.add_row({"only one"}), Error);
}

}  // namespace
}  // namespace molgauge::page
