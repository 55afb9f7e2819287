#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/page/chart.h"
#include "molecules/pages/compared_methods.h"
#include "molecules/pages/result_tables.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

using matrix::VariantSummary;
using options::to_text;
using options::Values;

struct GridPoint {
  std::string value;  ///< value of the varied option
  VariantSummary summary;
};

/// Orders numbers by value, then texts alphabetically.
bool comes_before(const GridPoint& first, const GridPoint& second) {
  double one = 0, other = 0;
  const auto reads = [](const std::string& text, double& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  };
  const bool first_reads = reads(first.value, one), second_reads = reads(second.value, other);
  if (first_reads && second_reads) {
    return one < other;
  }
  return first_reads != second_reads ? first_reads : first.value < second.value;
}

Values without(Values options, const std::string& name) {
  options.erase(name);
  return options;
}

/// The points that differ from the chosen point only in this option.
std::vector<GridPoint> points_along(const Study& study, const std::vector<VariantSummary>& summaries,
                                    const matrix::Cell& chosen, const std::string& option) {
  std::vector<GridPoint> points;
  for (const VariantSummary& summary : summaries) {
    const auto run = std::find_if(study.outcomes.begin(), study.outcomes.end(), [&](const auto& outcome) {
      return outcome.cell.benchmark == summary.benchmark && outcome.cell.encoder == summary.encoder &&
             outcome.cell.variant() == summary.variant;
    });
    const auto& cell = run->cell;
    if (summary.auroc.count > 0 && cell.benchmark == chosen.benchmark && cell.encoder == chosen.encoder &&
        cell.method == chosen.method && cell.grid.contains(option) &&
        without(cell.grid, option) == without(chosen.grid, option)) {
      points.push_back({to_text(cell.grid.at(option)), summary});
    }
  }
  std::stable_sort(points.begin(), points.end(), comes_before);
  return points;
}

page::Series series_of(const std::vector<GridPoint>& points, matrix::Estimate VariantSummary::*metric,
                       std::size_t style) {
  page::Series series{style, {}, {}, true};
  // Shifts the two series sideways, so their intervals do not overlap.
  const double shift = style == 0 ? -0.06 : 0.06;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& estimate = points[i].summary.*metric;
    series.points.push_back({static_cast<double>(i) + shift, estimate.mean});
    if (estimate.has_interval()) {
      series.error_bars.push_back({estimate.low, estimate.high});
    }
  }
  if (series.error_bars.size() != series.points.size()) {
    series.error_bars.clear();
  }
  return series;
}

std::vector<double> extent(const std::vector<page::Series>& all) {
  std::vector<double> values;
  for (const page::Series& series : all) {
    for (const page::Point& point : series.points) {
      values.push_back(point.y);
    }
    for (const page::Interval& interval : series.error_bars) {
      values.insert(values.end(), {interval.low, interval.high});
    }
  }
  return values;
}

page::Figure sensitivity_figure(const matrix::Cell& chosen, const std::string& option,
                                const std::vector<GridPoint>& points) {
  page::Chart chart;
  chart.series = {series_of(points, &VariantSummary::validation_auroc, 0),
                  series_of(points, &VariantSummary::auroc, 1)};
  std::vector<std::string> labels;
  labels.reserve(points.size());
  for (const GridPoint& point : points) {
    labels.push_back(point.value);
  }
  chart.description = fmt::format("AUROC against {} of {}", option, chosen.method);
  chart.x = page::category_axis(option, labels);
  chart.y = page::round_axis("AUROC", extent(chart.series));
  const bool has_intervals = std::any_of(chart.series.begin(), chart.series.end(),
                                         [](const auto& series) { return !series.error_bars.empty(); });
  const std::string others = to_text(without(chosen.grid, option));
  return {chosen.method + ": " + option,
          draw(chart),
          fmt::format("Mean AUROC over the seeds{}{}. Validation selects {} = {}. The axis shows values at "
                      "equal distances.{}",
                      has_intervals ? " with its 95 % bootstrap interval" : "",
                      others.empty() ? "" : ", at " + others, option, to_text(chosen.grid.at(option)),
                      has_intervals ? "" : " " + no_interval()),
          {{0, "validation"}, {1, "test"}}};
}

}  // namespace

void add_sensitivity(page::Page& page, const Study& study, const std::vector<Setting>& settings) {
  const auto tables = grid_tables(study);
  if (tables.empty()) {
    return;
  }
  page.section("Sensitivity");
  page.paragraph("Effect of the options of a grid. Only validation molecules select the point.");
  const auto summaries = matrix::summarize(study.outcomes);
  for (const Setting& setting : settings) {
    std::vector<page::Figure> figures;
    for (const ComparedMethod& contender : setting.contenders) {
      if (contender.median == nullptr) {
        continue;
      }
      const auto& chosen = contender.median->cell;
      for (const auto& [option, value] : chosen.grid) {
        const auto points = points_along(study, summaries, chosen, option);
        if (points.size() > 1) {
          figures.push_back(sensitivity_figure(chosen, option, points));
        }
      }
    }
    if (!figures.empty()) {
      page.heading(setting.name());
      page.figures(figures);
    }
  }
  for (const page::Table& table : tables) {
    page.table(table);
  }
}

}  // namespace molgauge::report
