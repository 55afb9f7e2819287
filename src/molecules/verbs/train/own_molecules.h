#pragma once

#include <vector>

#include "molecules/datasets/ood_benchmark.h"
#include "molgauge/train.h"

namespace molgauge::verbs {

/// The result of reading the inputs of `molgauge train --ood`.
struct OwnMolecules {
  std::vector<FailedMolecule> failed;  ///< records of both inputs that are not molecules
  std::size_t near_duplicates = 0;     ///< background molecules that were left out because they are equal or
                                       ///< similar to the user's molecules
};

/// Makes the benchmark of a request with a background library in the run folder, and reports which molecules
/// were left out. Throws InputError if `request.resume` would continue a training on other molecules. Throws
/// InputError at an invalid record if the request is strict. Throws the errors of
/// datasets::make_own_benchmark().
OwnMolecules prepare_own_molecules(const TrainRequest& request);

/// Draws the molecules of the same benchmark without a run folder. Throws the errors of make_own_benchmark().
datasets::OodBenchmark draw_own_molecules(const TrainRequest& request);

}  // namespace molgauge::verbs
