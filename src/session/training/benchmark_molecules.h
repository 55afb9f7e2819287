#pragma once

#include "datasets/ood_benchmark.h"
#include "headroom/train.h"

namespace headroom::session {

/// The molecules of a training: drawn from its benchmark, or those of its split cache, where a description
/// that does not fit is a warning. Both are examined: throws InputError as
/// load_ood_benchmark(), read_split_cache() and examine_ood_benchmark() do.
datasets::OodBenchmark benchmark_molecules(const TrainRequest& request, const ComputeOptions& compute);

}  // namespace headroom::session
