// `headroom memory explain`.

#include <set>

#include "allocator/explain/explanation.h"
#include "allocator/explain/explanation_page.h"
#include "allocator/recordings/recording_file.h"
#include "core/atomic_file.h"
#include "core/error.h"
#include "engine/verbs.h"

namespace headroom::verbs {

MemoryExplanation explain_memory(const ExplainMemoryRequest& request) {
  if (!request.html.empty()) {
    file_to_replace(request.html);  // refused before the work, which takes a while for a large snapshot
  }
  auto recordings = allocator::read_recordings(request.file, request.device);
  std::set<std::string> named{request.file};
  for (const auto& rank : request.other_ranks) {
    if (!named.insert(rank).second) {
      throw UsageError(rank + ": is named twice; give each rank's own snapshot");
    }
    for (auto& recording : allocator::read_recordings(rank)) {
      recordings.push_back(std::move(recording));
    }
  }
  auto explained = allocator::explain(recordings, request);
  if (!request.html.empty()) {
    replace_file(request.html, allocator::explanation_page(explained));
  }
  MemoryExplanation explanation = std::move(explained.front().explanation);
  if (request.all_devices) {
    explanation.json = "[" + explanation.json;
    for (std::size_t i = 1; i < explained.size(); ++i) {
      explanation.text += "\n" + explained[i].explanation.text;
      explanation.json += "," + explained[i].explanation.json;
    }
    explanation.json += "]\n";
  }
  return explanation;
}

}  // namespace headroom::verbs
