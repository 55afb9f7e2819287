#include "base/page/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::page {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Svg, EscapesWhatItIsTold) {
  SvgDrawing svg(100, 50, "<b> & \"quotes\"");
  svg.text({1, 2}, Anchor::end, "a<script>", "tick");
  EXPECT_EQ(svg.to_string(),
            "<svg viewBox=\"0 0 100 50\" role=\"img\" aria-label=\"&lt;b&gt; &amp; &quot;quotes&quot;\">"
            "<text class=\"tick\" x=\"1\" y=\"2\" text-anchor=\"end\">a&lt;script&gt;</text></svg>");
}

TEST(Svg, LeavesOutPointsOnAStraightLine) {
  SvgDrawing svg(10, 10, "");
  const std::vector<Point> points = {{0, 0}, {1, 0}, {1.01, 0.01}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {4.5, 5}};
  svg.path(points, "line");
  EXPECT_THAT(svg.to_string(), HasSubstr("d=\"M0 0h2v3l2 2h0.5\""));
}

TEST(Svg, KeepsAPathThatTurnsBack) {
  SvgDrawing svg(10, 10, "");
  const std::vector<Point> points = {{0, 0}, {5, 0}, {2, 0}};
  svg.path(points, "line");
  EXPECT_THAT(svg.to_string(), HasSubstr("d=\"M0 0h5h-3\""));
}

TEST(Svg, SurvivesNumbersOfAnySize) {
  SvgDrawing svg(10, 10, "");
  const std::vector<Point> points = {{-1e300, 1e300}, {0, 0}, {1e300, -1e300}};
  svg.path(points, "line");
  EXPECT_THAT(svg.to_string(), HasSubstr("d=\"M-100000 100000l200000 -200000\""));
}

TEST(Svg, AddsNothingForNoPoints) {
  SvgDrawing svg(10, 10, "");
  svg.path({}, "line");
  EXPECT_THAT(svg.to_string(), Not(HasSubstr("<path")));
}

}  // namespace
}  // namespace molgauge::page
