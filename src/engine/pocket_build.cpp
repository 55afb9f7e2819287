// `headroom pocket build`.

#include "engine/verbs.h"
#include "pocket/build/build.h"

namespace headroom::verbs {

PocketBuildReport build_pockets(const PocketBuildRequest& request) { return pocket::build(request); }

}  // namespace headroom::verbs
