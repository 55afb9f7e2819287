#include "base/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::page {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Page, EscapesEveryText) {
  const std::string evil = "<script>alert('x')</script>";
  Page page(evil, evil);
  page.section(evil);
  page.heading(evil);
  page.paragraph(evil);
  page.list({evil});
  page.figures({{evil, "<svg></svg>", evil, {{0, evil}}, evil}});
  page.fields(evil, {{evil, evil}});
  page.verbatim(evil, evil);
  EXPECT_THAT(page.to_string(), Not(HasSubstr("<script")));
}

TEST(Page, ContentsLeadToTheSections) {
  Page page("t", "s");
  page.section("Results");
  page.section("Curves");
  const std::string html = page.to_string();
  EXPECT_THAT(html, HasSubstr("<a href=\"#part-2\">Curves</a>"));
  EXPECT_THAT(html, HasSubstr("<section id=\"part-2\"><h2>Curves</h2>"));
}

TEST(Page, NeedsNothingBesideItself) {
  Page page("t", "s");
  const std::string html = page.to_string();
  for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "<link"}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  EXPECT_THAT(html, HasSubstr("width=device-width"));
}

TEST(Page, LeavesOutEmptyGrids) {
  Page page("t", "s");
  page.figures({});
  page.gallery({});
  EXPECT_THAT(page.to_string(), Not(HasSubstr("<div")));
}

}  // namespace
}  // namespace molgauge::page
