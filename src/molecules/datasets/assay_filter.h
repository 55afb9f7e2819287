#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/datasets/labelled_records.h"
#include "molgauge/split.h"

namespace molgauge::datasets {

/// DrugOOD's requirements for an assay and its measurements (Ji et al. 2022, noise filter).
struct AssayRules {
  std::size_t fewest_molecules, most_molecules;  ///< limits for the number of distinct texts in an assay,
                                                 ///< both included
  std::optional<double> least_confidence;
  std::span<const std::string_view> relations;  ///< the relations that are kept
};

AssayRules assay_rules(AssaySubset subset);

/// Does step 1 of DrugOOD's curation, with the rules of the subset in `table`. Keeps the measurements of the
/// requested type in nM or uM with enough confidence. Then keeps the assays of a suitable size. Then keeps
/// the measurements with an allowed relation. Returns the number of records removed.
std::size_t filter_assays(std::vector<LabelledRecord>& records, const MeasurementTable& table);

}  // namespace molgauge::datasets
