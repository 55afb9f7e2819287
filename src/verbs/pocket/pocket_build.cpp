// `molgauge pocket build`.

#include "models/pocket/preparation/build.h"
#include "verbs/verbs.h"

namespace molgauge::verbs {

PocketBuildReport build_pockets(const PocketBuildRequest& request) { return pocket::build(request); }

}  // namespace molgauge::verbs
