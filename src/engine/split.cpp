// `headroom split`.

#include "datasets/make_benchmark.h"
#include "engine/verbs.h"
#include "session/encoding/molecule_input.h"

namespace headroom::verbs {

SplitReport split(const SplitRequest& request) {
  session::require_other_file(request.molecules, request.out);
  return datasets::make_benchmark(request);
}

}  // namespace headroom::verbs
