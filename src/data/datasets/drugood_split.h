#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/random/python_random.h"
#include "data/datasets/domain_table.h"
#include "data/datasets/split_parts.h"

/// DrugOOD's curation (Ji et al. 2022) from a table of measurements, number for number. Its steps:
///   1. filter assays by type, unit, size and confidence: filter_assays();
///   2. shift censored values: without_censoring(); 3. one molecule per text: mean_of_each();
///   4. threshold and class labels: class_threshold();
///   5. domains: domains_by_appearance(); 6. to 8. the parts: drugood_split().
namespace headroom::datasets {

/// The value lowered by 1 for < and <=, where the measured one lies below it, raised by 1 for > and >=.
double without_censoring(double value, std::string_view relation);

/// The value from which on a molecule is active: the upper median if that lies in [4, 6], else 5.
double class_threshold(std::vector<double> values);

/// Steps 6 to 8. Domains, stably sorted by descending key, go whole to train while fewer than floor(0.6 n)
/// rows have been placed, then to ood_val while fewer than floor(0.6 n) + floor(0.2 n), the rest to ood_test.
/// The rows of each training domain are shuffled: floor(0.6 k) train, floor(0.2 k) iid_val, the rest iid_test
/// (so a domain of one molecule goes wholly to iid_test). `domains` are numbered by appearance;
/// `key_of_domain`: molecules of an assay, atoms of a scaffold, size.
SplitParts drugood_split(const DomainTable& domains, std::span<const std::int64_t> key_of_domain,
                         PythonRandom& random);

}  // namespace headroom::datasets
