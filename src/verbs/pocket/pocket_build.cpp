// `headroom pocket build`.

#include "models/pocket/preparation/build.h"
#include "verbs/verbs.h"

namespace headroom::verbs {

PocketBuildReport build_pockets(const PocketBuildRequest& request) { return pocket::build(request); }

}  // namespace headroom::verbs
