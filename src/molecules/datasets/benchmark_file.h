#pragma once

#include <vector>

#include "base/io/tables/drugood_json.h"
#include "molecules/datasets/split_parts.h"

namespace molgauge::datasets {

/// Returns the parts of a split in DrugOOD's file format, with DrugOOD's statistics. The statistics are the
/// threshold, the number of items of each class, and the numbers of items and domains of each part. `parts`
/// contains row numbers of `items`. The caller sets `cfg`.
io::DrugOodFile benchmark_file(const std::vector<io::DrugOodItem>& items, const SplitParts& parts,
                               double threshold);

}  // namespace molgauge::datasets
