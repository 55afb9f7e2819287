#pragma once

#include <vector>

#include "data/datasets/split_parts.h"
#include "data/io/tables/drugood_json.h"

namespace headroom::datasets {

/// The parts of a split as a DrugOOD-format file, with DrugOOD's statistics: the threshold, classes over all
/// items, items and domains of each part. `items` are the rows that `parts` speaks of; `cfg` is left to the
/// caller.
io::DrugOodFile benchmark_file(const std::vector<io::DrugOodItem>& items, const SplitParts& parts,
                               double threshold);

}  // namespace headroom::datasets
