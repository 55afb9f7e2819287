#pragma once

#include "headroom/pocket_build.h"

namespace headroom::pocket {

/// `headroom pocket build`. Throws UsageError where the input's kind is not clear or an option does not fit
/// it, InputError where there is nothing to build or nothing could be built.
PocketBuildReport build(const PocketBuildRequest& request);

}  // namespace headroom::pocket
