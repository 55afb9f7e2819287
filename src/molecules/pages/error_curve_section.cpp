#include "molecules/pages/error_curve_section.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "base/page/chart.h"
#include "base/page/table.h"

namespace molgauge::report {
namespace {

using domain::LabelCurve;

std::string in_interval(double low, double high) {
  return std::isnan(low) ? "not known" : fmt::format("{:.3g} to {:.3g}", low, high);
}

/// Returns a text such as "0.83 (95 % interval 0.79 to 0.87)".
std::string with_interval(double value, double low, double high) {
  return std::isnan(low) ? fmt::format("{:.3g}", value)
                         : fmt::format("{:.3g} (95 % interval {:.3g} to {:.3g})", value, low, high);
}

std::string error_name(const LabelCurve& curve) {
  return curve.is_classification() ? "error rate" : "mean absolute error";
}

std::string halves(const LabelCurve& curve) {
  return fmt::format("{:.3g} for the nearest half of the molecules and {:.3g} for the farthest tenth",
                     curve.inner_half, curve.outer_tenth);
}

std::string explanation(const LabelCurve& curve, const std::string& name) {
  const std::string scaffolds = curve.scaffolds > 0 ? fmt::format(" of {} scaffolds", curve.scaffolds) : "";
  const std::string after =
      " Your own model has other errors. Expect the same trend, not the same numbers. The intervals count "
      "molecules of one scaffold as related.";
  if (curve.is_classification()) {
    return fmt::format(
        "Molgauge trained a simple classifier of {} (ridge regression on the classes {:g} and {:g}) and "
        "tested "
        "it on {}{} that it had not seen. {} of them have the class {:g}. The AUROC is {}. The error rate is "
        "{}: "
        "{}. The more frequent class is wrong for {:.3g}.{}",
        name, curve.negative_value, curve.positive_value, counted(curve.molecules, "training molecule"),
        scaffolds, curve.positives, curve.positive_value,
        with_interval(curve.auroc.value, curve.auroc.low, curve.auroc.high),
        with_interval(curve.error, curve.error_low, curve.error_high), halves(curve), curve.constant_error,
        after);
  }
  return fmt::format(
      "Molgauge trained a simple predictor of {} (ridge regression on the features) and tested it on {}{} "
      "that "
      "it had not seen. The mean absolute error is {}: {}. The mean of the training values has an error of "
      "{:.3g}.{}",
      name, counted(curve.molecules, "training molecule"), scaffolds,
      with_interval(curve.error, curve.error_low, curve.error_high), halves(curve), curve.constant_error,
      after);
}

/// A chart of an error against the distance, with error bars.
class DistanceChart {
 public:
  void add(double distance, double value, double low, double high) {
    if (std::isnan(value)) {
      return;
    }
    const bool has_interval = !std::isnan(low);
    series_.points.push_back({distance, value});
    series_.error_bars.push_back({has_interval ? low : value, has_interval ? high : value});
    xs_.push_back(distance);
    ys_.push_back(has_interval ? low : value);
    ys_.push_back(has_interval ? high : value);
  }

  page::Figure figure(const std::string& title, const std::string& unit, bool from_zero,
                      std::size_t fewest_molecules) {
    if (from_zero) {
      ys_.push_back(0);
    }
    const page::Chart chart{title + " by distance",
                            page::round_axis("distance to the training molecules", xs_),
                            page::round_axis(unit, ys_),
                            {std::move(series_)},
                            {}};
    return {"",
            draw(chart),
            fmt::format("Each point represents at least {} molecules. Bars are 95 % confidence intervals.",
                        fewest_molecules),
            {}};
  }

 private:
  page::Series series_{1, {}, {}, true};
  std::vector<double> xs_, ys_;
};

}  // namespace

std::string error_summary(const LabelCurve& curve, const std::string& name) {
  if (curve.empty()) {
    return "";
  }
  if (curve.is_classification()) {
    return fmt::format("{}: a simple classifier has an AUROC of {} on new scaffolds, and an error rate of {}",
                       name, with_interval(curve.auroc.value, curve.auroc.low, curve.auroc.high),
                       halves(curve));
  }
  return fmt::format("{}: a simple predictor has a mean absolute error of {} on new scaffolds", name,
                     halves(curve));
}

void add_error_curve(const LabelCurve& curve, const std::string& name, page::Page& page) {
  if (curve.empty()) {
    return;
  }
  const bool is_classification = curve.is_classification();
  page.section("Prediction error by distance");
  page.paragraph(explanation(curve, name));
  page::Table table{is_classification ? "Error rate and AUROC by distance, with 95 % confidence intervals"
                                      : "Mean absolute error by distance, with 95 % confidence intervals",
                    {{"Distance", false}, {"Molecules", true}, {"Error", true}, {"Interval", true}},
                    {}};
  if (is_classification) {
    table.columns.push_back({fmt::format("Of class {:g}", curve.positive_value), true});
    table.columns.push_back({"AUROC", true});
    table.columns.push_back({"Interval", true});
  }
  DistanceChart errors, areas;
  for (const LabelCurve::Bin& bin : curve.bins) {
    const double middle = (bin.low + bin.high) / 2;
    errors.add(middle, bin.error, bin.error_low, bin.error_high);
    areas.add(middle, bin.auroc.value, bin.auroc.low, bin.auroc.high);
    std::vector<page::TableCell> row = {{fmt::format("{:.3g} to {:.3g}", bin.low, bin.high)},
                                        {std::to_string(bin.molecules)},
                                        {fmt::format("{:.3g}", bin.error)},
                                        {in_interval(bin.error_low, bin.error_high)}};
    if (is_classification) {
      const bool has_area = !std::isnan(bin.auroc.value);
      row.push_back({std::to_string(bin.positives)});
      row.push_back({has_area ? fmt::format("{:.3g}", bin.auroc.value) : "one class only"});
      row.push_back({has_area ? in_interval(bin.auroc.low, bin.auroc.high) : ""});
    }
    table.rows.push_back(std::move(row));
  }
  const std::size_t fewest =
      std::min_element(curve.bins.begin(), curve.bins.end(), [](const auto& one, const auto& other) {
        return one.molecules < other.molecules;
      })->molecules;
  std::vector<page::Figure> figures = {errors.figure(is_classification ? "Error rate" : "Error",
                                                     error_name(curve) + " of " + name, true, fewest)};
  if (is_classification) {
    figures.push_back(areas.figure("AUROC", "AUROC of the classifier", false, fewest));
  }
  page.figures(figures);
  page.table(table);
}

}  // namespace molgauge::report
