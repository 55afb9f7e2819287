#pragma once

#include <string>
#include <vector>

#include "migration/old_command.h"

namespace headroom::migration {

/// The replacement of an experiment script: benchmarks that have to be made, a specification, and
/// `headroom experiment` of it.
struct ExperimentCommands {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
};

/// The commands for run_experiments.sh, run_good_experiments.sh, run_baselines.sh,
/// run_cross_dataset_experiments.sh, run_ablation.sh and run_ablation_study.py. run_finetune_comparison.sh
/// has no counterpart yet: no lines, and a warning that says so.
ExperimentCommands experiment_commands(const OldCommand& old);

}  // namespace headroom::migration
