#include "molecules/judging/saved/label_curve_json.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/checked_json.h"
#include "molecules/judging/saved/ranges.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;

constexpr const char *kRegression = "regression", *kClassification = "classification";

/// Converts a number to JSON. An unknown number becomes null.
json known(double number) { return std::isnan(number) ? json(nullptr) : json(number); }
double known_from(const json& field) {
  return field.is_null()
             ? LabelCurve::kUnknown
             : in_range(checked<double>(field), -kLargestLabel, kLargestLabel, "a number in label_curve");
}

double error_from(const json& field) {
  return in_range(checked<double>(field), 0, 2 * kLargestLabel, "an error in label_curve");
}

std::size_t count_from(const json& field) {
  return in_range(checked<std::size_t>(field), 0, kLargestCount, "a count in label_curve");
}

json bin_json(const LabelCurve::Bin& bin) {
  return {bin.low,
          bin.high,
          bin.molecules,
          bin.error,
          known(bin.error_low),
          known(bin.error_high),
          bin.scaffolds,
          bin.positives,
          known(bin.auroc.value),
          known(bin.auroc.low),
          known(bin.auroc.high)};
}

LabelCurve::Bin bin_from(const json& fields) {
  const auto distance = [&](std::size_t place) {
    return in_range(checked<double>(fields.at(place)), -kLargestFeature, kLargestFeature,
                    "a distance in label_curve");
  };
  const LabelCurve::Bin bin{distance(0),
                            distance(1),
                            count_from(fields.at(2)),
                            error_from(fields.at(3)),
                            known_from(fields.at(4)),
                            known_from(fields.at(5)),
                            count_from(fields.at(6)),
                            count_from(fields.at(7)),
                            {known_from(fields.at(8)), known_from(fields.at(9)), known_from(fields.at(10))}};
  if (bin.low > bin.high) {
    throw InputError("a bin of label_curve ends before it begins");
  }
  return bin;
}

/// Reads the task and the fields of a classification.
void read_task(const json& fields, LabelCurve& curve) {
  const auto task = checked<std::string>(fields.at("task"));
  if (task != kRegression && task != kClassification) {
    throw InputError(fmt::format("the task of its label_curve is '{}'. This version reads {} and {}", task,
                                 kRegression, kClassification));
  }
  if (task == kClassification) {
    curve.task = LabelCurve::Task::classification;
    curve.negative_value = known_from(fields.at("classes").at(0));
    curve.positive_value = known_from(fields.at("classes").at(1));
    curve.positives = count_from(fields.at("positives"));
    const json& auroc = fields.at("auroc");
    curve.auroc = {known_from(auroc.at(0)), known_from(auroc.at(1)), known_from(auroc.at(2))};
  }
}

}  // namespace

json curve_json(const LabelCurve& curve, const std::string& column) {
  if (curve.empty()) {
    return nullptr;
  }
  json bins = json::array();
  for (const LabelCurve::Bin& bin : curve.bins) {
    bins.push_back(bin_json(bin));
  }
  json fields = {{"column", column},
                 {"task", curve.is_classification() ? kClassification : kRegression},
                 {"molecules", curve.molecules},
                 {"scaffolds", curve.scaffolds},
                 {"error", curve.error},
                 {"error_low", known(curve.error_low)},
                 {"error_high", known(curve.error_high)},
                 {"inner_half", curve.inner_half},
                 {"outer_tenth", curve.outer_tenth},
                 {"constant_error", curve.constant_error},
                 {"bins", bins}};
  if (curve.is_classification()) {
    fields["classes"] = {curve.negative_value, curve.positive_value};
    fields["positives"] = curve.positives;
    fields["auroc"] = {known(curve.auroc.value), known(curve.auroc.low), known(curve.auroc.high)};
  }
  return fields;
}

LabelCurve curve_from(const json& fields) {
  LabelCurve curve;
  curve.molecules = count_from(fields.at("molecules"));
  curve.scaffolds = count_from(fields.at("scaffolds"));
  curve.error_low = known_from(fields.at("error_low"));
  curve.error_high = known_from(fields.at("error_high"));
  curve.error = error_from(fields.at("error"));
  curve.inner_half = error_from(fields.at("inner_half"));
  curve.outer_tenth = error_from(fields.at("outer_tenth"));
  curve.constant_error = error_from(fields.at("constant_error"));
  for (const json& bin : fields.at("bins")) {
    curve.bins.push_back(bin_from(bin));
  }
  in_range(curve.bins.size(), 1, static_cast<double>(LabelCurve::kMaxBins),
           "the number of bins in label_curve");
  read_task(fields, curve);
  return curve;
}

}  // namespace molgauge::domain
