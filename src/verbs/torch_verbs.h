#pragma once

#include "molgauge/baseline.h"
#include "molgauge/experiment.h"
#include "molgauge/pocket_train.h"
#include "molgauge/train.h"

/// The verbs of libmolgauge_torch.so. The headers of the requests describe them.
namespace molgauge::verbs {

TrainReport train(const TrainRequest& request);
BaselineReport baseline(const BaselineRequest& request);
ExperimentReport run_experiment(const ExperimentRequest& request);
PocketTrainReport train_pockets(const PocketTrainRequest& request);

}  // namespace molgauge::verbs
