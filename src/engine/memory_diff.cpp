// `headroom memory diff`.

#include "allocator/explain/difference.h"
#include "allocator/recordings/recording_file.h"
#include "engine/verbs.h"

namespace headroom::verbs {

MemoryDifference diff_memory(const DiffMemoryRequest& request) {
  return allocator::difference_between(allocator::read_recording(request.before, request.device),
                                       allocator::read_recording(request.after, request.device));
}

}  // namespace headroom::verbs
