// `molgauge pocket build`.

#include "pockets/preparation/build.h"

#include "pockets/verbs/verbs.h"

namespace molgauge::verbs {

PocketBuildReport build_pockets(const PocketBuildRequest& request) { return pocket::build(request); }

}  // namespace molgauge::verbs
