#pragma once

#include "base/io/tables/drugood_json.h"
#include "molgauge/split.h"

namespace molgauge::datasets {

/// Reads a split that GOOD's own program wrote to the folder request.molecules, for example
/// GOODHIV/scaffold/processed. For the shift request.shift the files are SHIFT_train.pt, SHIFT_id_val.pt,
/// SHIFT_id_test.pt, SHIFT_val.pt and SHIFT_test.pt. Without a shift, the two files with "id" do not exist.
/// Keeps the parts, order, environments and labels of the folder. Throws InputError naming a file that is
/// missing or unreadable, and UsageError for an option of the request that has no effect.
io::DrugOodFile read_good_folder(const SplitRequest& request);

}  // namespace molgauge::datasets
