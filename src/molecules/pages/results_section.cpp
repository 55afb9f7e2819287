#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/page/chart.h"
#include "molecules/pages/compared_methods.h"
#include "molecules/pages/result_tables.h"
#include "molecules/pages/scaffold_scores.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

constexpr std::size_t kMaxComparisons = 60;

/// The methods on a benchmark with every encoder, and the colour of each encoder.
struct Ranking {
  std::string benchmark;
  std::vector<std::string> encoders;
  std::vector<page::DotRow> rows;
  bool several_seeds = false;
  bool has_intervals = false, lacks_intervals = false, has_validation = false;
};

std::vector<Ranking> rankings_of(const std::vector<Setting>& settings) {
  std::vector<Ranking> rankings;
  for (const Setting& setting : settings) {
    auto ranking = std::find_if(rankings.begin(), rankings.end(),
                                [&](const Ranking& other) { return other.benchmark == setting.benchmark; });
    if (ranking == rankings.end()) {
      ranking = rankings.insert(rankings.end(), {setting.benchmark, {}, {}, false, false, false, false});
    }
    for (const ComparedMethod& contender : setting.contenders) {
      const auto& auroc = contender.summary.auroc;
      if (auroc.count > 0) {
        const auto& validation = contender.summary.validation_auroc;
        const auto compared = validation.count > 0 && std::isfinite(validation.mean)
                                  ? std::optional(validation.mean)
                                  : std::nullopt;
        ranking->has_validation = ranking->has_validation || compared;
        ranking->rows.push_back(
            {fmt::format("{} ({})", display_name(contender.summary.variant), setting.encoder), auroc.mean,
             auroc.has_interval() ? page::Interval{auroc.low, auroc.high}
                                  : page::Interval{auroc.mean, auroc.mean},
             ranking->encoders.size(), compared});
        ranking->several_seeds = ranking->several_seeds || auroc.count > 1;
        (auroc.has_interval() ? ranking->has_intervals : ranking->lacks_intervals) = true;
      }
    }
    ranking->encoders.push_back(setting.encoder);
  }
  return rankings;
}

page::Figure ranking_figure(Ranking ranking) {
  std::stable_sort(
      ranking.rows.begin(), ranking.rows.end(),
      [](const page::DotRow& first, const page::DotRow& second) { return first.value > second.value; });
  page::Figure figure{
      ranking.benchmark,
      page::draw_dots("AUROC of each method on " + ranking.benchmark, "AUROC", ranking.rows),
      fmt::format("Mean AUROC on the test molecules over the seeds{}, best first.{}{}",
                  ranking.has_intervals ? ", with the 95 % bootstrap interval of the mean" : "",
                  ranking.has_validation ? " A hollow dot is the AUROC on the validation molecules. Their "
                                           "OOD molecules come from the same domains as in training."
                                         : "",
                  ranking.lacks_intervals ? " " + no_interval() : "")};
  for (std::size_t i = 0; i < ranking.encoders.size() && ranking.encoders.size() > 1; ++i) {
    figure.legend.push_back({i, ranking.encoders[i]});
  }
  return figure;
}

void add_rankings(page::Page& page, const std::vector<Setting>& settings) {
  std::vector<page::Figure> figures;
  for (Ranking& ranking : rankings_of(settings)) {
    if (ranking.several_seeds || ranking.rows.size() > 1) {
      figures.push_back(ranking_figure(std::move(ranking)));
    }
  }
  page.figures(figures);
}

/// Whether both variants are in a method comparison. The points of a grid are compared in the sensitivity
/// section instead.
bool is_contender(const std::vector<Setting>& settings, const matrix::Comparison& comparison,
                  const std::string& variant) {
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
    return setting.benchmark == comparison.benchmark && setting.encoder == comparison.encoder &&
           std::any_of(setting.contenders.begin(), setting.contenders.end(),
                       [&](const ComparedMethod& contender) { return contender.summary.variant == variant; });
  });
}

std::string p_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

void add_significance(page::Page& page, const Study& study, const std::vector<Setting>& settings) {
  page::Table table{"Paired differences in AUROC, first method minus second",
                    {{"benchmark"},
                     {"encoder"},
                     {"first"},
                     {"second"},
                     {"data seeds", true},
                     {"runs", true},
                     {"difference", true},
                     {"p over seeds (Holm)", true},
                     {"95 % over molecules", true},
                     {"p over molecules (Holm)", true},
                     {"ID, OOD scaffolds", true}},
                    {}};
  std::vector<matrix::Comparison> comparisons = matrix::compare(study.outcomes);
  const bool has_pairs = std::any_of(comparisons.begin(), comparisons.end(), [&](const auto& comparison) {
    return is_contender(settings, comparison, comparison.first) &&
           is_contender(settings, comparison, comparison.second);
  });
  if (!has_pairs || study.kind != StudyKind::matrix) {
    return;
  }
  matrix::add_bootstrap(comparisons, study.outcomes, scaffold_scores(study.folder));
  std::size_t left = 0;
  bool over_training_seeds = false;
  for (const auto& comparison : comparisons) {
    if (!is_contender(settings, comparison, comparison.first) ||
        !is_contender(settings, comparison, comparison.second)) {
      continue;
    }
    if (table.rows.size() == kMaxComparisons) {
      ++left;
      continue;
    }
    over_training_seeds = over_training_seeds || !comparison.averages_data_seeds;
    const auto& bootstrap = comparison.bootstrap;
    table.rows.push_back(
        {{comparison.benchmark},
         {comparison.encoder},
         {display_name(comparison.first)},
         {display_name(comparison.second)},
         {std::to_string(comparison.data_seeds)},
         {std::to_string(comparison.pairs)},
         {fmt::format("{:+.4f}", comparison.mean_difference)},
         {comparison.pairs < 2 ? "\u2013" : p_text(comparison.p_holm)},
         {bootstrap ? fmt::format("{:+.4f} to {:+.4f}", bootstrap->low, bootstrap->high) : "\u2013"},
         {bootstrap ? p_text(bootstrap->p_holm) : "\u2013"},
         {bootstrap ? fmt::format("{}, {}", bootstrap->id_scaffolds, bootstrap->ood_scaffolds) : "\u2013"}});
  }
  page.heading("Significance of the differences");
  page.paragraph(
      "Two tests answer two questions. Over seeds: exact two-sided signed-rank test of the differences, "
      "after averaging the runs of each data seed. With n differences, the smallest possible p-value is 2 / "
      "2\u207F. Over molecules: bootstrap with 2,000 samples of the test molecules, which draws all "
      "molecules of a Murcko scaffold together. The trained models stay the same. With fewer than about 20 "
      "scaffolds on a side, this is a rough guide. Holm's method corrects all p-values for the number of "
      "pairs in this matrix.");
  if (over_training_seeds) {
    page.paragraph(
        "With one data seed, all runs share their training and test molecules. The p-value over seeds then "
        "only shows whether the difference exceeds the noise of training on these molecules. It does not "
        "apply to other molecules.");
  }
  page.table(table);
  if (left > 0) {
    page.paragraph(fmt::format("significance.csv contains {} more pairs.", left));
  }
}

void add_remarks(page::Page& page, const Study& study) {
  std::vector<std::string> remarks;
  for (const auto& [cell, ended, found] : study.outcomes) {
    if (ended.result && !ended.result->remark.empty()) {
      remarks.push_back(fmt::format("{}, {}, {}, seed {}: {}", cell.benchmark, cell.encoder, cell.variant(),
                                    cell.seed, ended.result->remark));
    }
  }
  if (!remarks.empty()) {
    page.heading("Remarks");
    page.list(remarks);
  }
}

}  // namespace

void add_results(page::Page& page, const Study& study, const std::vector<Setting>& settings) {
  page.section("Results");
  page.paragraph(
      "Detection of out-of-distribution test molecules, as fractions. OOD is the positive class. AUROC: "
      "probability that an OOD molecule scores higher than an ID molecule. AUPR: area under the "
      "precision-recall curve. FPR95: share of ID molecules called OOD when 95 % of the OOD molecules are "
      "found. Validation AUROC: AUROC on val_id and val_ood. Energy heads are trained on OOD molecules of "
      "the domains of val_ood and selected on val_ood, so their validation AUROC does not apply to new "
      "chemistry. Other methods do not see OOD molecules, except ood_classifier, logistic_regression and "
      "outlier_exposure.");
  if (study.kind == StudyKind::matrix) {
    page.paragraph(
        "Mean \u00B1 sample standard deviation over the seeds. The best mean of a column is bold. Each "
        "benchmark has a table.");
  }
  const auto grids = grid_tables(study);
  if (!grids.empty()) {
    page.paragraph(
        "For a method with a grid of options, the table shows the point with the best validation AUROC.");
  }
  for (const page::Table& table : result_tables(settings)) {
    page.table(table);
  }
  add_rankings(page, settings);
  add_remarks(page, study);
  add_significance(page, study, settings);
}

}  // namespace molgauge::report
