#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/core/random/python_random.h"
#include "molecules/datasets/domain_table.h"
#include "molecules/datasets/split_parts.h"

/// DrugOOD's curation (Ji et al. 2022) from a table of measurements, number for number. Its steps:
///   1. filter assays by type, unit, size and confidence: filter_assays();
///   2. shift censored values: without_censoring(); 3. one molecule per text: mean_of_each();
///   4. threshold and class labels: class_threshold();
///   5. domains: domains_by_appearance(); 6. to 8. the parts: drugood_split().
namespace molgauge::datasets {

/// Shifts a censored value: lowers it by 1 for < and <=, and raises it by 1 for > and >=.
double without_censoring(double value, std::string_view relation);

/// Returns the threshold for class labels: molecules with at least this value are active. The threshold is
/// the upper median of the values if the median lies in [4, 6], and 5 otherwise.
double class_threshold(std::vector<double> values);

/// Steps 6 to 8. Domains are stably sorted by descending key and stay whole. They go to train until it has
/// floor(0.6 n) rows, then to ood_val until floor(0.6 n) + floor(0.2 n) rows are placed. The rest goes to
/// ood_test. The k rows of each training domain are shuffled: floor(0.6 k) become train, floor(0.2 k)
/// iid_val, the rest iid_test. A domain of one molecule therefore goes to iid_test. `domains` are numbered by
/// appearance. `key_of_domain`: for an assay, its number of molecules. For a scaffold, its number of atoms.
/// For a size, the size.
SplitParts drugood_split(const DomainTable& domains, std::span<const std::int64_t> key_of_domain,
                         PythonRandom& random);

}  // namespace molgauge::datasets
