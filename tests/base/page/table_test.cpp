#include "base/page/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::page {
namespace {

using testing::HasSubstr;

Table example() {
  return {"BACE & <BBBP>",
          {{"method"}, {"AUROC \u2191", true}},
          {{{"energy_dpo|50%"}, {"0.910 \u00B1 0.019", true}}, {{"a,\"b\""}, {"0.5"}}}};
}

TEST(Table, Html) {
  const std::string html = to_html(example());
  EXPECT_THAT(html, HasSubstr("<caption>BACE &amp; &lt;BBBP&gt;</caption>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">AUROC \u2191</th>"));
  EXPECT_THAT(html, HasSubstr("><strong>0.910 \u00B1 0.019</strong></td>"));
}

TEST(Table, Markdown) {
  EXPECT_EQ(to_markdown(example()),
            "**BACE &amp; &lt;BBBP&gt;**\n\n"
            "| method | AUROC \u2191 |\n"
            "|---|--:|\n"
            "| energy\\_dpo\\|50% | **0.910 \u00B1 0.019** |\n"
            "| a,\"b\" | 0.5 |\n\n");
}

TEST(Table, Latex) {
  const std::string latex = to_latex(example(), "tab:x");
  EXPECT_THAT(latex, HasSubstr("\\caption{BACE \\& <BBBP>}"));
  EXPECT_THAT(latex, HasSubstr("\\label{tab:x}"));
  EXPECT_THAT(latex, HasSubstr("\\begin{tabular}{lr}"));
  EXPECT_THAT(latex, HasSubstr("method & AUROC $\\uparrow$ \\\\"));
  EXPECT_THAT(latex, HasSubstr("energy\\_dpo|50\\% & \\textbf{0.910 $\\pm$ 0.019} \\\\"));
}

TEST(Table, Csv) {
  Table formula;
  formula.columns.push_back({.name = "benchmark"});
  formula.rows.push_back({TableCell{.text = "=1+2"}});
  EXPECT_EQ(to_csv(formula), "benchmark\n=1+2\n");
  EXPECT_EQ(to_csv(formula, CsvTexts::spreadsheet_safe), "benchmark\n'=1+2\n");
  EXPECT_EQ(to_csv(example()),
            "method,AUROC \u2191\nenergy_dpo|50%,0.910 \u00B1 0.019\n\"a,\"\"b\"\"\",0.5\n");
}

}  // namespace
}  // namespace molgauge::page
