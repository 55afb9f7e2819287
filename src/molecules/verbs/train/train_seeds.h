#pragma once

#include "molgauge/train.h"

namespace molgauge::verbs {

/// `molgauge train --seeds`: trains one run for each of the seeds request.seed, request.seed + 1, ... Each
/// run has a folder in the run folder (molecules/ood/run/seeds.h). Repeating the call continues a call that
/// was stopped. Stores the mean energies of the validation molecules, which are the same molecules for every
/// seed.
TrainReport train_seeds(const TrainRequest& request);

}  // namespace molgauge::verbs
