#include <fmt/format.h>

#include "base/page/chart.h"
#include "molecules/ood/metrics/curves.h"
#include "molecules/pages/score_histogram.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

struct ScoredContender {
  ComparedMethod contender;
  const Predictions* predictions;
};

std::vector<ScoredContender> scored_contenders(RunFiles& files, const Setting& setting) {
  std::vector<ScoredContender> scored;
  for (const ComparedMethod& contender : drawn_contenders(setting)) {
    if (const Predictions* predictions = files.predictions(contender.median->cell)) {
      scored.push_back({contender, predictions});
    }
  }
  return scored;
}

using Curve = std::vector<ood::CurvePoint>(std::span<const float>, std::span<const float>);

page::Chart curve_chart(const std::vector<ScoredContender>& scored, Curve* curve) {
  page::Chart chart;
  for (const auto& [contender, predictions] : scored) {
    page::Series series{contender.style, {}, {}, false};
    for (const auto& point : curve(predictions->id_scores, predictions->ood_scores)) {
      series.points.push_back({point.x, point.y});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<page::LegendEntry> legend_of(const std::vector<ScoredContender>& scored) {
  std::vector<page::LegendEntry> legend;
  legend.reserve(scored.size());
  for (const auto& [contender, predictions] : scored) {
    legend.push_back({contender.style, display_name(contender.summary.variant)});
  }
  return legend;
}

page::Figure roc_figure(const Setting& setting, const std::vector<ScoredContender>& scored) {
  page::Chart chart = curve_chart(scored, ood::roc_curve);
  chart.description = "ROC curves on " + setting.name();
  chart.x = page::fraction_axis("false-positive rate (ID called OOD)");
  chart.y = page::fraction_axis("true-positive rate");
  chart.reference = {{{0, 0}, {1, 1}}};
  return {
      "ROC", draw(chart),
      "Share of OOD molecules found against share of ID molecules called OOD, at every threshold. Dotted: "
      "chance." +
          which_run(setting) + left_out(setting),
      legend_of(scored)};
}

page::Figure precision_figure(const Setting& setting, const std::vector<ScoredContender>& scored) {
  page::Chart chart = curve_chart(scored, ood::precision_recall_curve);
  chart.description = "Precision and recall on " + setting.name();
  chart.x = page::fraction_axis("recall");
  chart.y = page::fraction_axis("precision");
  const auto& first = *scored.front().predictions;
  const double share = static_cast<double>(first.ood_scores.size()) /
                       static_cast<double>(first.ood_scores.size() + first.id_scores.size());
  chart.reference = {{{0, share}, {1, share}}};
  return {
      "Precision and recall", draw(chart),
      fmt::format("Share of OOD among the molecules called OOD against share of OOD molecules found. Dotted: "
                  "chance, {:.2f}, the share of OOD in the test.",
                  share),
      legend_of(scored)};
}

page::Figure histogram_figure(const ScoredContender& scored) {
  const auto& [contender, predictions] = scored;
  const auto& cell = contender.median->cell;
  return {display_name(contender.summary.variant),
          draw(score_histogram(predictions->id_scores, predictions->ood_scores,
                               "Scores of ID and OOD molecules, " + display_name(contender.summary.variant))),
          fmt::format("Scores of {} ID and {} OOD test molecules, AUROC {:.3f} (seed {}, data seed {}). The "
                      "outermost bars also count all scores beyond them.",
                      predictions->id_scores.size(), predictions->ood_scores.size(),
                      contender.median->ended.result->auroc, cell.seed, cell.data_seed),
          {{0, "ID"}, {1, "OOD"}}};
}

}  // namespace

void add_curves(page::Page& page, RunFiles& files, const std::vector<Setting>& settings) {
  bool begun = false;
  for (const Setting& setting : settings) {
    const auto scored = scored_contenders(files, setting);
    if (scored.empty()) {
      continue;
    }
    if (!begun) {
      page.section("Curves and scores");
      begun = true;
    }
    page.heading(setting.name());
    std::vector<page::Figure> figures = {roc_figure(setting, scored), precision_figure(setting, scored)};
    for (const ScoredContender& one : scored) {
      figures.push_back(histogram_figure(one));
    }
    page.figures(figures);
  }
}

}  // namespace molgauge::report
