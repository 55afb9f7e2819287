#include "base/page/chart.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::page {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

Chart chart_of(std::vector<Point> points) {
  Chart chart;
  chart.description = "a chart";
  chart.x = fraction_axis("x");
  chart.y = fraction_axis("y");
  chart.series = {{2, std::move(points), {}, false}};
  return chart;
}

TEST(Chart, DrawsALineBetweenTheCornersOfItsAxes) {
  const std::string svg = draw(chart_of({{0, 0}, {1, 1}}));
  EXPECT_THAT(svg, HasSubstr("class=\"line s2\" d=\"M50 208l300 -198\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"a chart\""));
}

TEST(Chart, BreaksALineWhereAValueIsMissing) {
  const std::string svg = draw(chart_of({{0, 0}, {0.2, 0.1}, {0.4, std::nan("")}, {0.6, 0.5}, {1, 1}}));
  EXPECT_EQ(count(svg, "class=\"line s2\""), 2U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(Chart, DrawsMarksErrorBarsAndTheReference) {
  Chart chart = chart_of({{0.2, 0.5}, {0.8, 0.6}});
  chart.series[0].error_bars = {{0.4, 0.6}, {0.5, 0.7}};
  chart.series[0].marks = true;
  chart.reference = {{{0, 0}, {1, 1}}};
  const std::string svg = draw(chart);
  EXPECT_EQ(count(svg, "<circle class=\"mark s2\""), 2U);
  EXPECT_EQ(count(svg, "class=\"bar-line s2\""), 6U);  // each interval has a bar and two caps
  EXPECT_EQ(count(svg, "class=\"reference\""), 1U);
}

TEST(Chart, LabelsThatWouldTouchAreLeftOut) {
  Chart chart = chart_of({{0, 0}, {29, 1}});
  std::vector<std::string> labels;
  for (int i = 0; i < 30; ++i) {
    labels.push_back("label " + std::to_string(i));
  }
  chart.x = category_axis("option", labels);
  EXPECT_LT(count(draw(chart), ">label "), 10U);
}

TEST(Chart, RowsCarryNameAndValue) {
  const std::string dots =
      draw_dots("d", "AUROC", {{"msp", 0.8, {0.7, 0.9}, 0}, {"knn", 0.5, {0.5, 0.5}, 1}});
  EXPECT_THAT(dots, HasSubstr(">msp<"));
  EXPECT_THAT(dots, HasSubstr(">0.800<"));
  EXPECT_EQ(count(dots, "<circle"), 2U);
  const std::string compared = draw_dots("d", "AUROC", {{"dpo", 0.7, {0.6, 0.8}, 0, 0.95}});
  EXPECT_EQ(count(compared, "<circle"), 2U);
  EXPECT_THAT(compared, HasSubstr("hollow"));
  const std::string bars = draw_bars("d", {{"train", "2 GiB", 2, 0}, {"eval", "1 GiB", 1, 0}});
  EXPECT_THAT(bars, HasSubstr("width=\"324\""));
  EXPECT_THAT(bars, HasSubstr("width=\"162\""));
}

TEST(Chart, BarsOfNothingHaveNoWidth) {
  EXPECT_THAT(draw_bars("d", {{"eval", "-", 0, 0}}), HasSubstr("width=\"0\""));
}

}  // namespace
}  // namespace molgauge::page
