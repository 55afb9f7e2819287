#pragma once

#include <string>

#include "base/options/value.h"
#include "molgauge/baseline.h"
#include "molgauge/train.h"

namespace molgauge::experiment {

/// Sets an option of `molgauge train` by its name on the command line. Throws UsageError if methods have no
/// such option, or if the value has another type. The message lists the options. Options for seeds, encoders
/// and sizes are not accepted, because the matrix sets them.
void set_energy_option(TrainRequest& request, const std::string& name, const options::Value& value);

/// Sets an option of `molgauge baseline` by its name on the command line, with the same errors as
/// set_energy_option(). For an option that only some methods have, request.method must already be one of
/// these methods.
void set_baseline_option(BaselineRequest& request, const std::string& name, const options::Value& value);

/// Returns the reason why an option of baselines does not affect a method. Returns an empty text if the
/// option affects the method or is unknown.
std::string why_without_effect(const std::string& option, const std::string& method);

}  // namespace molgauge::experiment
