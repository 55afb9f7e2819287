#pragma once

#include <string>
#include <vector>

#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/recording_file.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The name in error messages for data that were not read from a file.
inline const std::string kInMemory = "data in memory";

/// If `request.file` is a folder, replaces it by the snapshots in the folder (*.pickle, *.pickle.gz, *.pkl)
/// in the order of the numbers in their names. Throws UsageError if other files are named too, and InputError
/// if the folder has no snapshot.
ExplainMemoryRequest with_files_of_folder(ExplainMemoryRequest request);

/// Reads the recordings of the request. The request names one device or all devices, and can name the files
/// of other ranks. Throws UsageError if a file is named twice.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request);
/// Does the same if the file of the request is already open.
std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file);

}  // namespace molgauge::allocator
