#pragma once

#include <vector>

#include "datasets/ood_benchmark.h"
#include "headroom/benchmark_draw.h"

namespace headroom::session {

/// What a run draws from its benchmark. Throws UsageError on an unknown type of data set.
datasets::OodSelection selection_of(const BenchmarkDraw& draw);

/// Throws InputError naming the first of `failed` when the request is strict.
void refuse_if_strict(bool strict, const std::vector<FailedMolecule>& failed);

}  // namespace headroom::session
