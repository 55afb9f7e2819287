#pragma once

#include <vector>

#include "data/datasets/split_parts.h"
#include "data/io/tables/drugood_json.h"

namespace headroom::datasets {

/// Returns the parts of a split as a DrugOOD-format file with DrugOOD's statistics: the threshold, the
/// classes over all items, and the items and domains of each part. `parts` refers to rows of `items`. The
/// caller sets `cfg`.
io::DrugOodFile benchmark_file(const std::vector<io::DrugOodItem>& items, const SplitParts& parts,
                               double threshold);

}  // namespace headroom::datasets
