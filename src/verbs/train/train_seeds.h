#pragma once

#include "headroom/train.h"

namespace headroom::verbs {

/// `headroom train --seeds`: trains a run for each of request.seed, request.seed + 1, ..., in folders within
/// the run folder (models/ood/run/seeds.h). The same call continues a call that was stopped. Stores the mean
/// energies of the validation molecules, which are the same molecules for every seed.
TrainReport train_seeds(const TrainRequest& request);

}  // namespace headroom::verbs
