#pragma once

#include "headroom/split.h"

namespace headroom::datasets {

/// `headroom split`: reads molecules, groups them by domain, lays the parts out with a distribution shift and
/// writes request.out, a DrugOOD-format file.
///
/// - Equal texts become one molecule, and so do different spellings of one molecule unless
///   request.keep_spellings: `good` keeps the labels of the first, `drugood` takes the mean of the values
///   (DrugOOD's step 3).
/// - Labels that are all 0 or 1 are classes. Otherwise they are values, and a class is value >= threshold:
///   `good` takes the upper median of train, `drugood` its own rule (class_threshold()). reg_label holds the
///   value, or the class; with several label columns their mean over the known ones, 0 without one.
/// - `good` follows GOOD's program for HIV and PCBA, or, when style or labels say values, for ZINC
///   (good_split.h). Shift none leaves iid_val and iid_test empty, as GOOD does; the loader draws them from
///   train.
/// - `drugood` trains on large assays, large scaffolds or large molecules, and leaves out molecules without a
///   bond.
/// - assay_id is 0 without a column of assays.
/// - A folder in place of a file is one of GOOD's processed files, taken as it is (good_folder.h).
///
/// Equal inputs and seeds give equal bytes. Throws the UsageErrors of plan_split(), InputError when the file
/// cannot be used (read_labelled_molecules()), when all molecules share one domain, or when a part that
/// training needs would be empty.
SplitReport make_benchmark(const SplitRequest& request);

}  // namespace headroom::datasets
