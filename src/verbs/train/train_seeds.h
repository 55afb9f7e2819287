#pragma once

#include "headroom/train.h"

namespace headroom::verbs {

/// `headroom train --seeds`: a run for each of request.seed, request.seed + 1, ..., one after the other, in
/// folders within the run folder (models/ood/run/seeds.h); a call that was stopped is continued by the same
/// call. Keeps the mean energies of the validation molecules, which are those of every seed.
TrainReport train_seeds(const TrainRequest& request);

}  // namespace headroom::verbs
