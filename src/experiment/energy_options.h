#pragma once

#include <string>
#include <vector>

#include "experiment/option_value.h"
#include "headroom/train.h"

namespace headroom::experiment {

/// Sets an option of `headroom train` by its name on the command line. Throws UsageError when there is no
/// such option (naming those there are), when it belongs to the matrix (seeds, encoders), or when the value
/// is of another kind.
void set_energy_option(TrainRequest& request, const std::string& name, const OptionValue& value);

}  // namespace headroom::experiment
