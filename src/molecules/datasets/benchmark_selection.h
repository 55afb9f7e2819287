#pragma once

#include <vector>

#include "molecules/datasets/ood_benchmark.h"
#include "molgauge/benchmark_draw.h"
#include "molgauge/train.h"

namespace molgauge::datasets {

/// The molecules that a run draws from its benchmark. Throws UsageError on an unknown type of data set.
datasets::OodSelection selection_of(const BenchmarkDraw& draw);

/// If `strict` is true and a molecule failed, throws InputError naming the first failed molecule.
void refuse_if_strict(bool strict, const std::vector<FailedMolecule>& failed);

/// Returns the molecules for training, drawn from a benchmark or read from a split cache. Logs a warning if
/// the description in the split cache does not match the request. Examines the molecules in both cases.
/// Throws the InputErrors of load_ood_benchmark(), read_split_cache() and examine_ood_benchmark().
datasets::OodBenchmark benchmark_molecules(const TrainRequest& request, const ComputeOptions& compute);

}  // namespace molgauge::datasets
