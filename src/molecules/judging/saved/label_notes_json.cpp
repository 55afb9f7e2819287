#include "molecules/judging/saved/label_notes_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/core/json/checked_json.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/saved/ranges.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

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
