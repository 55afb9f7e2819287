#pragma once

#include <string>

#include "headroom/baseline.h"
#include "headroom/train.h"
#include "options/value.h"

namespace headroom::experiment {

/// Sets an option of `headroom train` by its name on the command line. Throws UsageError if methods have no
/// such option, or if the value has another type. The message lists the options. Does not accept seeds,
/// encoders and sizes, because the matrix sets them.
void set_energy_option(TrainRequest& request, const std::string& name, const options::Value& value);

/// Sets an option of `headroom baseline` by its name on the command line, with the same errors as
/// set_energy_option(). If an option belongs to particular methods, request.method must be one of them.
void set_baseline_option(BaselineRequest& request, const std::string& name, const options::Value& value);

/// Returns the reason why an option of baselines has no effect for a method, or an empty text if it has an
/// effect or is unknown.
std::string why_without_effect(const std::string& option, const std::string& method);

}  // namespace headroom::experiment
