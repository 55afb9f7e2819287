#pragma once

#include "datasets/ood_benchmark.h"
#include "headroom/train.h"

namespace headroom::verbs {

/// The molecules of a training: drawn from its benchmark, or those of its split cache, where a description
/// that does not fit is a warning. Throws InputError as load_ood_benchmark() and read_split_cache() do.
datasets::OodBenchmark benchmark_molecules(const TrainRequest& request);

}  // namespace headroom::verbs
