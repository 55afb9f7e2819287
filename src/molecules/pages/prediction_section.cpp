#include "molecules/pages/prediction_section.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "base/page/chart.h"
#include "base/page/markup.h"
#include "base/page/table.h"

namespace molgauge::report {
namespace {

using domain::CalibrationReport;
using domain::Share;

std::string per_cent(const Share& share) {
  return share.molecules == 0 ? "no molecules" : fmt::format("{:.1f} %", 100 * share.share);
}

std::string interval_of(const Share& share) {
  return share.molecules == 0 ? "" : fmt::format("{:.1f} to {:.1f} %", 100 * share.low, 100 * share.high);
}

std::string method_in_words(const domain::PredictionCalibration& calibration) {
  switch (calibration.method()) {
    case IntervalMethod::constant:
      return "All intervals have the same width";
    case IntervalMethod::distance:
      return "Intervals widen with the distance from the training set";
    case IntervalMethod::uncertainty:
      return "Intervals widen with the uncertainty of your model";
    case IntervalMethod::both:
      return "Intervals widen with the distance from the training set and with the uncertainty of your model";
    case IntervalMethod::mondrian:
      return "Intervals have one width in each of several groups by distance";
    case IntervalMethod::quantiles:
      return "Intervals are the quantiles of your model, corrected by a constant";
    case IntervalMethod::opinion:
      return "Intervals widen with the distance from the training set, with the uncertainty of your model, "
             "and "
             "if Molgauge's own models disagree with it or are wrong for similar training molecules";
    case IntervalMethod::automatic:
      break;
  }
  return "Prediction sets contain every class that cannot be excluded";
}

std::string introduction(const domain::PredictionCalibration& calibration) {
  const CalibrationReport& report = calibration.report();
  const domain::PredictionColumns& columns = calibration.settings().columns;
  const bool are_classes = calibration.is_classification();
  std::string text = fmt::format(
      "The predictions in the column {} were compared with the measured values in the column {} for {} of {} "
      "that "
      "your model did not see. The {} is {:.3g}. {}. {} {:g} % of molecules like the calibration molecules. "
      "This is "
      "an average over molecules: it does not hold for each group of molecules, and not for molecules "
      "outside the "
      "applicability domain.",
      columns.prediction, columns.measured, counted(report.molecules, "molecule"),
      counted(report.scaffolds, "scaffold"), are_classes ? "error rate" : "mean absolute error", report.error,
      method_in_words(calibration),
      are_classes ? "For each class, the set contains the right class for"
                  : "The interval contains the measured value for",
      100 * calibration.settings().coverage);
  if (report.is_validated()) {
    text += fmt::format(
        " To check this, each fifth of the scaffolds was predicted with intervals from the other four "
        "fifths. {} "
        "were covered (95 % interval {}).",
        per_cent(report.coverage), interval_of(report.coverage));
    if (!are_classes) {
      text += fmt::format(
          " The mean width is {:.3g}. The Winkler score, which counts width and misses, is {:.3g}, and "
          "{:.3g} for "
          "intervals of constant width. Smaller is better.",
          report.width, report.winkler, report.constant_winkler);
    }
  } else {
    text += " The " + report.why_not_validated + ".";
  }
  return text;
}

page::Table coverage_table(const domain::PredictionCalibration& calibration) {
  const CalibrationReport& report = calibration.report();
  page::Table table{
      "Coverage in cross-validation over scaffolds, with 95 % intervals",
      {{"Calibration molecules", false}, {"Molecules", true}, {"Covered", true}, {"Interval", true}},
      {}};
  const auto add = [&](const std::string& name, const Share& share) {
    table.rows.push_back(
        {{name}, {std::to_string(share.molecules)}, {per_cent(share)}, {interval_of(share)}});
  };
  add("all", report.coverage);
  constexpr std::array<const char*, 3> kNames = {"inside", "borderline", "outside"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    add(kNames[i], report.by_verdict[i]);
  }
  for (std::size_t i = 0; calibration.is_classification() && i < report.by_class.size(); ++i) {
    add(fmt::format("of class {}", i), report.by_class[i]);
  }
  return table;
}

page::Table distance_table(const domain::PredictionCalibration& calibration) {
  const bool are_classes = calibration.is_classification();
  page::Table table{are_classes ? "Coverage, error of the probability and size of the sets by distance"
                                : "Coverage, error and width by distance",
                    {{"Distance", false},
                     {"Molecules", true},
                     {"Covered", true},
                     {"Interval", true},
                     {"Mean error", true},
                     {"Interval", true},
                     {are_classes ? "Classes in the set" : "Width", true}},
                    {}};
  for (const CalibrationReport::Bin& bin : calibration.report().by_distance) {
    table.rows.push_back(
        {{fmt::format("{:.3g} to {:.3g}", bin.low, bin.high)},
         {std::to_string(bin.coverage.molecules)},
         {per_cent(bin.coverage)},
         {interval_of(bin.coverage)},
         {fmt::format("{:.3g}", bin.error)},
         {std::isnan(bin.error_low) ? "" : fmt::format("{:.3g} to {:.3g}", bin.error_low, bin.error_high)},
         {fmt::format("{:.3g}", bin.width)}});
  }
  return table;
}

/// A line with error bars, and its axes.
struct Line {
  page::Series series{1, {}, {}, true};
  std::vector<double> xs, ys = {0};

  void add(double x, double y, double low, double high) {
    series.points.push_back({x, y});
    series.error_bars.push_back({low, high});
    xs.push_back(x);
    ys.insert(ys.end(), {low, high});
  }
};

page::Figure figure(const std::string& title, const std::string& x, const std::string& y, Line line,
                    const std::string& caption) {
  const page::Chart chart{
      title, page::round_axis(x, line.xs), page::round_axis(y, line.ys), {std::move(line.series)}, {}};
  return {title, draw(chart), caption, {}};
}

std::vector<page::Figure> distance_figures(const domain::PredictionCalibration& calibration) {
  Line coverage, error, width;
  for (const CalibrationReport::Bin& bin : calibration.report().by_distance) {
    const double middle = (bin.low + bin.high) / 2;
    coverage.add(middle, 100 * bin.coverage.share, 100 * bin.coverage.low, 100 * bin.coverage.high);
    const bool is_known = !std::isnan(bin.error_low);  // unknown if all molecules have one scaffold
    error.add(middle, bin.error, is_known ? bin.error_low : bin.error, is_known ? bin.error_high : bin.error);
    width.add(middle, bin.width, bin.width, bin.width);
  }
  const std::string x = "distance to the training molecules";
  const bool are_classes = calibration.is_classification();
  return {figure("Coverage by distance", x, "covered molecules, %", std::move(coverage),
                 "Each point is a fifth of the calibration molecules. Bars are 95 % intervals."),
          figure("Error of your model by distance", x, "mean absolute error", std::move(error),
                 are_classes ? "Absolute difference of the class (0 or 1) and the predicted probability."
                             : "In the unit of the measured values. Bars are 95 % intervals."),
          figure(are_classes ? "Size of the sets by distance" : "Width of the intervals by distance", x,
                 are_classes ? "mean number of classes" : "mean width", std::move(width),
                 are_classes ? "Two classes mean that the prediction does not decide."
                             : "In the unit of the measured values.")};
}

page::Figure reliability_figure(const CalibrationReport& report) {
  std::vector<page::Series> lines;
  const std::array groups = {std::pair(std::size_t{0}, &report.predicted),
                             std::pair(std::size_t{1}, &report.calibrated)};
  for (const auto& [style, bins] : groups) {
    page::Series series{style, {}, {}, true};
    for (const domain::ReliabilityBin& bin : *bins) {
      series.points.push_back({bin.predicted, bin.observed.share});
      series.error_bars.push_back({bin.observed.low, bin.observed.high});
    }
    lines.push_back(std::move(series));
  }
  const page::Chart chart{"Reliability diagram", page::fraction_axis("probability of class 1"),
                          page::fraction_axis("share of class 1"), std::move(lines),
                          std::pair(page::Point{0, 0}, page::Point{1, 1})};
  return {"Reliability diagram",
          draw(chart),
          "Points on the faint line are calibrated. Bars are 95 % intervals.",
          {{0, "your model"}, {1, "Venn-ABERS (calibrated)"}}};
}

page::Table model_check_table(const domain::ModelCheck& check) {
  const bool are_classes = check.are_classes;
  page::Table table{fmt::format("Errors for {} that your model did not see",
                                counted(check.molecules, "calibration molecule")),
                    {{"Prediction", false}, {are_classes ? "Wrong classes" : "Mean absolute error", true}},
                    {}};
  if (are_classes) {
    table.columns.push_back({"AUROC", true});
  }
  const double best =
      std::isfinite(check.simple_error) ? std::min(check.error, check.simple_error) : check.error;
  const auto add = [&](const std::string& name, double error, double auroc) {
    if (!std::isfinite(error)) {
      return;
    }
    table.rows.push_back(
        {{name},
         {are_classes ? fmt::format("{:.1f} %", 100 * error) : fmt::format("{:.3g}", error), error <= best}});
    if (are_classes) {
      table.rows.back().push_back({std::isfinite(auroc) ? fmt::format("{:.3f}", auroc) : ""});
    }
  };
  add("your model", check.error, check.auroc.value);
  add(fmt::format("Molgauge's own model ({})", check.simple_model), check.simple_error, check.simple_auroc);
  add(are_classes ? "the more frequent class for every molecule" : "the mean of the measured values",
      check.constant_error, 0.5);
  return table;
}

}  // namespace

void add_model_check(const domain::PredictionCalibration& calibration, page::Page& page) {
  const domain::ModelCheck& check = calibration.report().check;
  page.section("Model check");
  for (const domain::ModelWarning& warning : check.warnings) {
    page.markup("<p class=\"warning\">" + page::escape_markup(warning.text) + "</p>\n");
  }
  page.table(model_check_table(check));
  if (std::isfinite(check.spearman)) {
    page.paragraph(fmt::format(
        "The correlation of your predictions with the measured values is {:.2f} (Spearman: {:.2f}).",
        check.pearson, check.spearman));
  }
  if (check.wild > 0) {
    page.paragraph(fmt::format("These numbers leave out {} with a wild error.",
                               counted(check.wild, "calibration molecule")));
  }
}

void add_prediction_section(const domain::PredictionCalibration& calibration, page::Page& page) {
  page.section("How far to trust your predictions");
  const CalibrationReport& report = calibration.report();
  page.paragraph(introduction(calibration));
  if (!report.is_validated()) {
    return;
  }
  std::vector<page::Figure> figures;
  if (!report.by_distance.empty()) {
    figures = distance_figures(calibration);
  }
  if (calibration.is_classification()) {
    figures.push_back(reliability_figure(report));
  }
  page.figures(figures);
  page.table(coverage_table(calibration));
  page.table(distance_table(calibration));
}

}  // namespace molgauge::report
