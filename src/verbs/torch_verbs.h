#pragma once

#include "headroom/baseline.h"
#include "headroom/experiment.h"
#include "headroom/pocket_train.h"
#include "headroom/train.h"

/// The verbs of libheadroom_torch.so. The headers of the requests describe them.
namespace headroom::verbs {

TrainReport train(const TrainRequest& request);
BaselineReport baseline(const BaselineRequest& request);
ExperimentReport run_experiment(const ExperimentRequest& request);
PocketTrainReport train_pockets(const PocketTrainRequest& request);

}  // namespace headroom::verbs
