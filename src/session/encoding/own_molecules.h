#pragma once

#include <vector>

#include "datasets/ood_benchmark.h"
#include "headroom/train.h"

namespace headroom::session {

/// What became of the inputs of `headroom train --ood`.
struct OwnMolecules {
  std::vector<FailedMolecule> failed;  ///< no molecules, of both inputs
  std::size_t near_duplicates = 0;     ///< of the background, left out, own molecules themselves included
};

/// Makes the benchmark of a request with a background library in the run folder, and says what was left out.
/// Throws InputError where the folder holds the benchmark of a training on other molecules, which
/// `request.resume` would continue; as datasets::make_own_benchmark() does; and, when the request is strict,
/// at a record that is no molecule.
OwnMolecules prepare_own_molecules(const TrainRequest& request);

/// The molecules of that benchmark, without a run folder. Throws as make_own_benchmark() does.
datasets::OodBenchmark draw_own_molecules(const TrainRequest& request);

}  // namespace headroom::session
