#include "verbs/explain/requested_recordings.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/error.h"
#include "memory/allocator/explain/explanation.h"
#include "memory/allocator/recordings/recording_file.h"

namespace headroom::allocator {

std::vector<Recording> recordings_of(const ExplainMemoryRequest& request) {
  OpenedRecording file(request.file);
  return recordings_of(request, file);
}

std::vector<Recording> recordings_of(const ExplainMemoryRequest& request, OpenedRecording& file) {
  const std::string& name = request.content.empty() ? request.file : kInMemory;
  auto recordings = read_recordings(file, name, named_device(request));
  std::set<std::string> named{request.file};
  for (const auto& rank : request.other_ranks) {
    if (!named.insert(rank).second) {
      throw UsageError(rank + ": is named twice. Give each rank's own snapshot");
    }
    std::ranges::move(read_recordings(rank), std::back_inserter(recordings));
  }
  return recordings;
}

}  // namespace headroom::allocator
