#include "molecules/judging/saved/label_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/checked_json.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/saved/ranges.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

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

ordered_json censored_json(const CensoredCount& censored) {
  return {{"count", censored.count}, {"first", censored.first}};
}

std::size_t note_count_from(const json& field) {
  return in_range(checked<std::size_t>(field), 0, kLargestCount, "a count in labels");
}

CensoredCount censored_from(const json& fields) {
  return {note_count_from(fields.at("count")), checked<std::string>(fields.at("first"))};
}

double label_from(const json& field) {
  return in_range(checked<double>(field), -kLargestLabel, kLargestLabel, "a label");
}

LabelConflict conflict_from(const json& fields) {
  const json& used = fields.at("used");
  LabelConflict conflict{
      checked<std::string>(fields.at("name")), checked<std::string>(fields.at("smiles")), {}};
  for (const json& label : fields.at("labels")) {
    conflict.labels.push_back(label_from(label));
  }
  conflict.used = used.is_null() ? std::numeric_limits<double>::quiet_NaN() : label_from(used);
  return conflict;
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

ordered_json label_notes_json(const LabelNotes& notes) {
  ordered_json listed = ordered_json::array();
  for (const LabelConflict& conflict : notes.listed) {
    listed.push_back(
        {{"name", conflict.name},
         {"smiles", conflict.smiles},
         {"labels", conflict.labels},
         {"used", std::isnan(conflict.used) ? ordered_json(nullptr) : ordered_json(conflict.used)}});
  }
  return {{"are_classes", notes.are_classes},
          {"molecules_with_several_labels", notes.conflicts},
          {"molecules_without_majority", notes.ties},
          {"median_range_of_several_labels", notes.median_range},
          {"first_molecules_with_several_labels", std::move(listed)},
          {"censored", censored_json(notes.censored)},
          {"censored_in_calibration", censored_json(notes.censored_in_calibration)}};
}

LabelNotes label_notes_from(const json& fields) {
  LabelNotes notes;
  notes.are_classes = checked<bool>(fields.at("are_classes"));
  notes.conflicts = note_count_from(fields.at("molecules_with_several_labels"));
  notes.ties = note_count_from(fields.at("molecules_without_majority"));
  notes.median_range = in_range(checked<double>(fields.at("median_range_of_several_labels")), 0,
                                2 * kLargestLabel, "a range of labels");
  for (const json& listed : fields.at("first_molecules_with_several_labels")) {
    notes.listed.push_back(conflict_from(listed));
  }
  in_range(notes.listed.size(), 0, static_cast<double>(std::min(notes.conflicts, LabelNotes::kListed)),
           "the number of listed molecules");
  notes.censored = censored_from(fields.at("censored"));
  notes.censored_in_calibration = censored_from(fields.at("censored_in_calibration"));
  return notes;
}

}  // namespace molgauge::domain
