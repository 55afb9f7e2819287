#pragma once

#include <string>

#include "headroom/baseline.h"
#include "headroom/train.h"
#include "options/value.h"

namespace headroom::experiment {

/// Sets an option of `headroom train` by its name on the command line. Throws UsageError if methods have no
/// such option, or if the value has another type. The message lists the options. Seeds, encoders and sizes
/// belong to the matrix.
void set_energy_option(TrainRequest& request, const std::string& name, const options::Value& value);

/// Like set_energy_option(), for `headroom baseline`. An option of particular methods is refused unless
/// request.method is one of them.
void set_baseline_option(BaselineRequest& request, const std::string& name, const options::Value& value);

/// The reason why an option of baselines has no effect for a method. Empty if it has an effect or is unknown.
std::string why_without_effect(const std::string& option, const std::string& method);

}  // namespace headroom::experiment
