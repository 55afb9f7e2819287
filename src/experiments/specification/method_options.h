#pragma once

#include <string>

#include "headroom/baseline.h"
#include "headroom/train.h"
#include "options/value.h"

namespace headroom::experiment {

/// Sets an option of `headroom train` by its name on the command line. Throws UsageError when there is no
/// such option of methods (naming those there are; seeds, encoders and sizes belong to the matrix), or the
/// value is of another type.
void set_energy_option(TrainRequest& request, const std::string& name, const options::Value& value);

/// As set_energy_option(), for `headroom baseline`. An option of certain methods is refused unless
/// request.method is one of them.
void set_baseline_option(BaselineRequest& request, const std::string& name, const options::Value& value);

/// The reason why an option of baselines changes nothing for a method; empty where it does, or is unknown.
std::string why_without_effect(const std::string& option, const std::string& method);

}  // namespace headroom::experiment
