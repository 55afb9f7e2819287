#include "molecules/datasets/assay_filter.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace molgauge::datasets {
namespace {

constexpr std::array<std::string_view, 2> kCoreRelations = {"=", "~"};
constexpr std::array<std::string_view, 4> kRefinedRelations = {"=", "~", "<=", ">="};
constexpr std::array<std::string_view, 6> kAllRelations = {"=", "~", "<=", ">=", "<", ">"};

bool is_suitable(const LabelledRecord& record, const MeasurementTable& table, const AssayRules& rules) {
  if (!table.type_column.empty() && record.measurement_type != table.measurement_type) {
    return false;
  }
  if (!table.units_column.empty() && record.units != "nM" && record.units != "uM") {
    return false;
  }
  return !rules.least_confidence || !record.confidence || *record.confidence >= *rules.least_confidence;
}

/// Leaves out assays that are too small or too large.
void filter_sizes(std::vector<LabelledRecord>& records, const AssayRules& rules) {
  std::map<std::int64_t, std::set<std::string_view>> texts_of_assay;
  for (const auto& record : records) {
    texts_of_assay[record.assay_id].insert(record.record.text);
  }
  std::map<std::int64_t, std::size_t> sizes;  // computed first, because erase_if moves the strings to which
                                              // texts_of_assay refers
  for (const auto& [assay, texts] : texts_of_assay) {
    sizes[assay] = texts.size();
  }
  texts_of_assay.clear();
  std::erase_if(records, [&](const LabelledRecord& record) {
    const std::size_t size = sizes.at(record.assay_id);
    return size < rules.fewest_molecules || size > rules.most_molecules;
  });
}

}  // namespace

AssayRules assay_rules(AssaySubset subset) {
  switch (subset) {
    case AssaySubset::core:
      return {50, 3000, 9, kCoreRelations};
    case AssaySubset::refined:
      return {32, 5000, 3, kRefinedRelations};
    case AssaySubset::general:
      break;
  }
  return {10, 5000, std::nullopt, kAllRelations};
}

std::size_t filter_assays(std::vector<LabelledRecord>& records, const MeasurementTable& table) {
  const AssayRules rules = assay_rules(table.subset.value());
  const std::size_t before = records.size();
  std::erase_if(records, [&](const LabelledRecord& record) { return !is_suitable(record, table, rules); });
  filter_sizes(records, rules);
  std::erase_if(records, [&](const LabelledRecord& record) {
    return std::find(rules.relations.begin(), rules.relations.end(), record.relation) ==
           rules.relations.end();
  });
  return before - records.size();
}

}  // namespace molgauge::datasets
