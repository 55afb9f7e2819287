#pragma once

#include "headroom/pocket_build.h"
#include "models/pocket/preparation/input_files.h"

namespace headroom::pocket {

/// Throws UsageError if the request sets an option that has no effect for input of this kind.
void require_fitting_options(PocketInput kind, const PocketBuildRequest& request);

}  // namespace headroom::pocket
