#pragma once

#include "data/io/tables/drugood_json.h"
#include "headroom/split.h"

namespace headroom::datasets {

/// The split that GOOD's own program left in a folder of processed files (request.molecules,
/// GOODHIV/scaffold/processed say), for the shift request.shift: SHIFT_train.pt, SHIFT_id_val.pt,
/// SHIFT_id_test.pt, SHIFT_val.pt and SHIFT_test.pt; without shift, the files with id are missing. Parts,
/// order, environments and labels are those of the folder. Throws InputError naming a file that is missing or
/// cannot be read, UsageError on an option of the request without effect.
io::DrugOodFile read_good_folder(const SplitRequest& request);

}  // namespace headroom::datasets
