#pragma once

#include "molgauge/pocket_build.h"
#include "pockets/preparation/input_files.h"

namespace molgauge::pocket {

/// Throws UsageError if the request sets an option that has no effect for input of this kind.
void require_fitting_options(PocketInput kind, const PocketBuildRequest& request);

}  // namespace molgauge::pocket
