#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/recording_file.h"

namespace headroom::allocator {

/// The name of a recording or of a message in memory, for messages.
inline const std::string kInMemory = "data in memory";

/// Returns the recordings of the request: the chosen device or all devices, and the other ranks. Throws
/// UsageError if a file is named twice.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request);
/// Like recordings_of(request), but the file of the request is already open.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file);

}  // namespace headroom::allocator
