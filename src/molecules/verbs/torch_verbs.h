#pragma once

#include "molgauge/baseline.h"
#include "molgauge/experiment.h"
#include "molgauge/train.h"

namespace molgauge::session {
class MoleculeTorch;
}

/// The verbs of libmolgauge_torch.so. The headers of the requests describe them.
namespace molgauge::verbs {

TrainReport train(const TrainRequest& request);
BaselineReport baseline(const BaselineRequest& request);
ExperimentReport run_experiment(const ExperimentRequest& request);

/// The object of torch_part<MoleculeTorch>().
session::MoleculeTorch& molecule_torch();

}  // namespace molgauge::verbs
