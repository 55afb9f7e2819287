#pragma once

#include "headroom/split.h"

namespace headroom::datasets {

/// `headroom split`: reads molecules, groups them by domain, lays the parts out with a distribution shift and
/// writes request.out, a DrugOOD-format file.
///
/// - Equal texts become one molecule, so that no text stands in two parts: `good` keeps the first one's
/// label,
///   `drugood` takes the mean of the labels (DrugOOD's step 3). Different spellings of one molecule stay
///   apart; by scaffold and by size they share a domain, so they never face each other across the shift.
/// - Labels that are all 0 or 1 are classes. Otherwise they are values, and a class is value >= threshold:
///   `good` takes the upper median of train, `drugood` its own rule (class_threshold()). reg_label holds the
///   value, or the class.
/// - `good` trains on small molecules' scaffolds in ascending order of their text, and on large molecules
///   when the domain is size (GOOD's order for HIV and PCBA). `drugood` trains on large scaffolds and on
///   large molecules.
/// - shift none (`good` only): random parts; for iid_val min(n / 4, 1000) and for iid_test
///   min(n / 10, 500) of the n training molecules are drawn, as the published program does when it loads such
///   a split.
/// - assay_id is 0 throughout.
///
/// Same input and seed, same bytes. Throws UsageError on a request that contradicts itself, InputError when
/// the file cannot be used (read_labelled_molecules()), when all molecules share one domain, or when a part
/// that training needs would be empty.
SplitReport make_benchmark(const SplitRequest& request);

}  // namespace headroom::datasets
