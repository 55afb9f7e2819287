#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/recording_file.h"

namespace headroom::allocator {

/// The name of a recording or of a message in memory, for messages.
inline const std::string kInMemory = "data in memory";

/// Reads the recordings of the request. It can request one device or all devices, and the files of other
/// ranks. Throws UsageError if a file is named twice.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request);
/// Does the same if the file of the request is already open.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file);

}  // namespace headroom::allocator
