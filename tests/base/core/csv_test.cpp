#include "base/core/text/csv.h"

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(CsvField, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(csv_field("CCO"), "CCO");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(CsvField, KeepsSpreadsheetsFromComputingTextsWhereAskedTo) {
  const auto safe = [](const char* text) { return csv_field(text, CsvTexts::spreadsheet_safe); };
  EXPECT_EQ(safe("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  EXPECT_EQ(safe("+1+2"), "'+1+2");
  EXPECT_EQ(safe("-CCO"), "'-CCO");
  EXPECT_EQ(safe("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(safe("\t=1"), "'\t=1");
  for (const char* const kept : {"-1.5", "+2", "-1e-05", "CC=O", "", "-inf"}) {
    EXPECT_EQ(safe(kept), kept);
  }
  EXPECT_EQ(csv_field("=1+2"), "=1+2") << "texts are exact unless asked otherwise";
}

}  // namespace
}  // namespace molgauge
