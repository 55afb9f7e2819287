#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/replay.h"

namespace headroom::allocator {

/// Simulates possible changes: other allocator settings, an emptied cache between epochs,
/// smaller batches. `base` is the explained run, `settings` its settings as text, `base_result` its
/// outcome. Best first: cures before other changes, settings before changes of the program, less reserved
/// memory before more.
///
/// Stops with Interrupted when the user asks to.
std::vector<MemoryCure> try_cures(const Recording& recording, const ReplayOptions& base,
                                  const std::string& settings, const ReplayResult& base_result);

}  // namespace headroom::allocator
