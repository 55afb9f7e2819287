#pragma once

#include "molgauge/pocket_build.h"

namespace molgauge::pocket {

/// Implements `molgauge pocket build`. Throws UsageError if the kind of the input is unclear or an option has
/// no effect for this kind. Throws InputError if there is nothing to build or every pocket failed.
PocketBuildReport build(const PocketBuildRequest& request);

}  // namespace molgauge::pocket
