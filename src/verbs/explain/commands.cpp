#include "verbs/explain/commands.h"

#include <utility>

#include "core/atomic_file.h"
#include "memory/allocator/explain/difference.h"
#include "memory/allocator/explain/explanation.h"
#include "memory/allocator/explain/simulation.h"
#include "memory/allocator/recordings/recording_file.h"
#include "options/file_conflicts.h"
#include "options/tables.h"
#include "pages/memory/explanation_page.h"
#include "verbs/explain/requested_recordings.h"

namespace headroom::allocator {

MemoryExplanation explain_memory(const ExplainMemoryRequest& request) {
  options::require_no_conflicts(options::view(request));
  if (!request.html.empty()) {
    file_to_replace(request.html);  // refused before the work, which takes a while for a large snapshot
  }
  auto explained = explain(recordings_of(request), request);
  if (!request.html.empty()) {
    replace_file(request.html, explanation_page(explained));
  }
  MemoryExplanation explanation = std::move(explained.front().explanation);
  if (request.device == "all") {
    explanation.json = "[" + explanation.json;
    for (std::size_t i = 1; i < explained.size(); ++i) {
      explanation.text += "\n" + explained[i].explanation.text;
      explanation.json += "," + explained[i].explanation.json;
    }
    explanation.json += "]\n";
  }
  return explanation;
}

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request) {
  return simulate(read_recording(request.trace, request.device), request);
}

MemoryDifference diff_memory(const DiffMemoryRequest& request) {
  return difference_between(read_recording(request.before, request.device),
                            read_recording(request.after, request.device));
}

}  // namespace headroom::allocator
