#pragma once

#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/recording_file.h"

namespace headroom::allocator {

/// The recordings that the request names: of the chosen device, or of all, and of the other ranks. Throws
/// UsageError where a file is named twice.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request);
/// As above, with the request's file opened.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file);

}  // namespace headroom::allocator
