// `headroom memory simulate`.

#include "allocator/explain/simulation.h"
#include "allocator/recordings/recording_file.h"
#include "engine/verbs.h"

namespace headroom::verbs {

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) {
  return allocator::simulate(allocator::read_recording(request.trace, request.device), request);
}

}  // namespace headroom::verbs
