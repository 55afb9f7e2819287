#include "models/domain/saved/label_notes_json.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/checked_json.h"

namespace headroom::domain {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json censored_json(const CensoredCount& censored) {
  return {{"count", censored.count}, {"first", censored.first}};
}

CensoredCount censored_from(const json& fields) {
  return {checked<std::size_t>(fields.at("count")), checked<std::string>(fields.at("first"))};
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
  notes.conflicts = checked<std::size_t>(fields.at("molecules_with_several_labels"));
  notes.ties = checked<std::size_t>(fields.at("molecules_without_majority"));
  notes.median_range = checked<double>(fields.at("median_range_of_several_labels"));
  for (const json& listed : fields.at("first_molecules_with_several_labels")) {
    const json& used = listed.at("used");
    notes.listed.push_back(
        {checked<std::string>(listed.at("name")), checked<std::string>(listed.at("smiles")),
         checked<std::vector<double>>(listed.at("labels")),
         used.is_null() ? std::numeric_limits<double>::quiet_NaN() : checked<double>(used)});
  }
  notes.censored = censored_from(fields.at("censored"));
  notes.censored_in_calibration = censored_from(fields.at("censored_in_calibration"));
  return notes;
}

}  // namespace headroom::domain
