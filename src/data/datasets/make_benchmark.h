#pragma once

#include "headroom/split.h"

namespace headroom::datasets {

/// Implements `headroom split`: reads molecules, groups them by domain, splits them with a distribution shift
/// and writes the DrugOOD-format file request.out.
///
/// - Equal texts become one molecule. Different spellings of one molecule become one molecule unless
///   request.keep_spellings: `good` keeps the labels of the first, `drugood` takes the mean of the values
///   (DrugOOD's step 3).
/// - Labels that are all 0 or 1 are classes. Otherwise they are values, and the class is value >= threshold.
///   The threshold of `good` is the upper median of train. `drugood` has its own rule (class_threshold()).
///   reg_label holds the value or the class. With several label columns it is the mean of the known labels,
///   or 0 if none is known.
/// - `good` follows GOOD's program for HIV and PCBA, or, when style or labels say values, for ZINC
///   (good_split.h). Without a shift, iid_val and iid_test stay empty, as in GOOD, and the loader draws them
///   from train.
/// - `drugood` trains on large assays, large scaffolds or large molecules, and leaves out molecules without a
///   bond.
/// - assay_id is 0 without a column of assays.
/// - If the input is a folder, it holds processed files of GOOD, which are used as they are (good_folder.h).
///
/// Equal inputs and seeds give equal bytes. Throws the UsageErrors of plan_split(). Throws InputError if the
/// file cannot be used (read_labelled_molecules()), if all molecules share one domain, or if a part that
/// training needs would be empty.
SplitReport make_benchmark(const SplitRequest& request);

}  // namespace headroom::datasets
