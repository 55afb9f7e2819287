// `headroom memory explain`.

#include "allocator/explain/explanation.h"
#include "allocator/explain/explanation_page.h"
#include "allocator/recordings/recording_file.h"
#include "core/atomic_file.h"
#include "engine/verbs.h"

namespace headroom::verbs {

MemoryExplanation explain_memory(const ExplainMemoryRequest& request) {
  auto explained = allocator::explain(allocator::read_recording(request.file, request.device), request);
  if (!request.html.empty()) {
    replace_file(request.html, allocator::explanation_page(explained));
  }
  return std::move(explained.explanation);
}

}  // namespace headroom::verbs
