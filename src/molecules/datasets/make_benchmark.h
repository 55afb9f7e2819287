#pragma once

#include "molgauge/split.h"

namespace molgauge::datasets {

/// Implements `molgauge split`: reads molecules, groups them by domain, splits them with a distribution shift
/// and writes the DrugOOD-format file request.out.
///
/// - Equal texts become one molecule. Different spellings of one molecule become one molecule, too, unless
///   request.keep_spellings is set. `good` keeps the labels of the first record. `drugood` takes the mean of
///   the values (DrugOOD's step 3).
/// - Labels that are all 0 or 1 are classes. Otherwise they are values, and the class is value >= threshold.
///   The threshold of `good` is the upper median of train. `drugood` has its own rule (class_threshold()).
///   reg_label holds the value or the class. With several label columns it is the mean of the known labels,
///   or 0 if none is known.
/// - `good` follows GOOD's program for ZINC if request.style is values, or if no style is set and the labels
///   are values. Otherwise it follows GOOD's program for HIV and PCBA (good_split.h). Without a shift,
///   iid_val and iid_test stay empty, as in GOOD, and the loader draws them from train.
/// - `drugood` trains on large assays, large scaffolds or large molecules, and leaves out molecules without a
///   bond.
/// - If the table has no assay column, assay_id is 0.
/// - If the input is a folder, it holds processed files of GOOD, which are used as they are (good_folder.h).
///
/// Equal inputs and seeds give equal bytes. Throws the UsageErrors of plan_split(). Throws InputError if the
/// file cannot be used (read_labelled_molecules()), if all molecules share one domain, or if a part that
/// training needs would be empty.
SplitReport make_benchmark(const SplitRequest& request);

}  // namespace molgauge::datasets
