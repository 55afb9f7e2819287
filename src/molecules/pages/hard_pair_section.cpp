#include <algorithm>

#include <fmt/format.h>

#include "base/page/chart.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

struct Weighed {
  ComparedMethod contender;
  PairWeights weights;
};

std::vector<Weighed> weighed_contenders(RunFiles& files, const Setting& setting) {
  std::vector<Weighed> weighed;
  for (const ComparedMethod& contender : drawn_contenders(setting)) {
    if (auto weights = files.pair_weights(contender.median->cell)) {
      weighed.push_back({contender, std::move(*weights)});
    }
  }
  return weighed;
}

/// Draws one line for each method. x is the energy difference at the centre of a bin of pairs, and y is the
/// value of `field` in this bin.
page::Figure bin_figure(const std::vector<Weighed>& all, const std::string& title, const std::string& unit,
                        double PairBinWeights::*field, const std::string& caption) {
  page::Chart chart;
  std::vector<double> centres, values = {0};
  std::vector<page::LegendEntry> legend;
  for (const auto& [contender, weights] : all) {
    page::Series series{contender.style, {}, {}, true};
    for (const PairBinWeights& bin : weights.bins) {
      series.points.push_back({bin.centre, bin.*field});
      centres.push_back(bin.centre);
      values.push_back(bin.*field);
    }
    chart.series.push_back(std::move(series));
    legend.push_back({contender.style, display_name(contender.summary.variant)});
  }
  chart.description = title + " by energy difference";
  chart.x = page::round_axis("OOD energy minus ID energy", centres);
  chart.y = page::round_axis(unit, values);
  return {title, draw(chart), caption, legend};
}

/// Draws three bars for each method, for hard, easy and boundary pairs.
page::Figure group_figure(const std::vector<Weighed>& all, const std::string& title,
                          double PairGroupWeights::*field, bool is_share, const std::string& caption) {
  std::vector<page::BarRow> rows;
  for (const auto& [contender, weights] : all) {
    const auto add = [&, &contender = contender](const char* kind, const PairGroupWeights& group) {
      const double value = group.*field;
      rows.push_back({fmt::format("{}: {}", display_name(contender.summary.variant), kind),
                      is_share ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.4f}", value), value,
                      contender.style});
    };
    add("hard", weights.hard);
    add("easy", weights.easy);
    add("boundary", weights.boundary);
  }
  return {title, page::draw_bars(title, rows), caption};
}

page::Table weight_table(const std::vector<Weighed>& all) {
  page::Table table{"Pairs of test molecules and their weights",
                    {{"method"},
                     {"beta", true},
                     {"pairs sampled", true},
                     {"hard", true},
                     {"boundary", true},
                     {"weight, hard", true},
                     {"weight, easy", true},
                     {"of the total weight on hard pairs", true}},
                    {}};
  for (const auto& [contender, weights] : all) {
    table.rows.push_back({{display_name(contender.summary.variant)},
                          {fmt::format("{}", weights.beta)},
                          {fmt::format("{}", weights.pairs)},
                          {fmt::format("{:.1f} %", 100 * weights.hard.share)},
                          {fmt::format("{:.1f} %", 100 * weights.boundary.share)},
                          {fmt::format("{:.4f}", weights.hard.mean_weight)},
                          {fmt::format("{:.4f}", weights.easy.mean_weight)},
                          {fmt::format("{:.1f} %", 100 * weights.hard_share_of_weight)}});
  }
  return table;
}

std::vector<page::Figure> figures_of(const std::vector<Weighed>& all) {
  return {
      bin_figure(all, "Where pairs lie", "share of pairs", &PairBinWeights::share,
                 "Share of the sampled pairs in 20 bins between the 1st and the 99th percentile of their "
                 "difference. Left of zero the pair is misranked."),
      bin_figure(all, "Weight of a pair", "mean weight", &PairBinWeights::mean_weight,
                 "Mean weight of the pairs of a bin in the loss."),
      bin_figure(all, "Share of the total weight", "share of the total weight",
                 &PairBinWeights::share_of_weight, "Share of the pairs of a bin in the sum of all weights."),
      group_figure(
          all, "Hard, easy and boundary pairs", &PairGroupWeights::share, true,
          "Share of the sampled pairs. The energy difference of hard pairs is below 0, of easy pairs "
          "above 0. Boundary pairs are closer to 0 than 0.05, and also count as hard or easy."),
      group_figure(all, "Their mean weights", &PairGroupWeights::mean_weight, false,
                   "Mean weight of the pairs of each kind. A loss that focuses on hard pairs weighs hard "
                   "pairs more than easy ones.")};
}

}  // namespace

void add_hard_pairs(page::Page& page, RunFiles& files, const std::vector<Setting>& settings) {
  bool begun = false;
  for (const Setting& setting : settings) {
    const auto all = weighed_contenders(files, setting);
    if (all.empty()) {
      continue;
    }
    if (!begun) {
      page.section("Hard pairs");
      page.paragraph(
          "The DPO loss weights each pair of an ID and an OOD molecule by beta \u00B7 sigmoid(\u2212beta "
          "\u00B7 d), where d is the OOD energy minus the ID energy. This section shows pairs of test "
          "molecules.");
      begun = true;
    }
    page.heading(setting.name());
    page.table(weight_table(all));
    page.figures(figures_of(all));
  }
}

}  // namespace molgauge::report
