#pragma once

#include <string>

#include "experiment/option_value.h"
#include "headroom/baseline.h"
#include "headroom/train.h"

namespace headroom::experiment {

/// Sets an option of `headroom train` by its name on the command line. Throws UsageError when there is no
/// such option of methods (naming those there are; seeds, encoders and sizes belong to the matrix), or the
/// value is of another kind.
void set_energy_option(TrainRequest& request, const std::string& name, const OptionValue& value);

/// The same for `headroom baseline`. An option that belongs to certain methods is refused unless
/// request.method is one of them.
void set_baseline_option(BaselineRequest& request, const std::string& name, const OptionValue& value);

}  // namespace headroom::experiment
