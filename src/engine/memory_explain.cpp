// `headroom memory explain`.

#include "allocator/explain/explanation.h"
#include "allocator/explain/explanation_page.h"
#include "core/atomic_file.h"
#include "engine/verbs.h"

namespace headroom::verbs {

MemoryExplanation explain_memory(const ExplainMemoryRequest& request) {
  if (!request.html.empty()) {
    file_to_replace(request.html);  // refused before the work, which takes a while for a large snapshot
  }
  auto explained = allocator::explain(allocator::recordings_of(request), request);
  if (!request.html.empty()) {
    replace_file(request.html, allocator::explanation_page(explained));
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

}  // namespace headroom::verbs
