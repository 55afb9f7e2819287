// The C API with only the memory verbs, for libheadroom_memory.so.

#include <mutex>
#include <string>

#include "api/c_session.h"
#include "core/json_reader.h"
#include "core/session_state.h"
#include "options/json_request.h"
#include "options/settings.h"
#include "verbs/explain/commands.h"

namespace headroom {
namespace {

using nlohmann::json;

/// Runs a verb. Only one call runs at a time, as in the engine. A new call clears an earlier request to stop,
/// so the request affects only the call that was running.
template <typename Request, typename Report>
json in_turn(Report (*verb)(const Request&), const Request& wanted) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> turn(one_at_a_time);
  session_state().stop_requested = false;
  options::require_ranges(options::view(wanted));
  return parse_json(verb(wanted).json);
}

template <typename Request, typename Report>
json in_turn(Report (*verb)(const Request&), const json& request) {
  return in_turn(verb, options::read_request<Request>(request));
}

json run_memory_verb(const std::string& verb, const json& request) {
  if (verb == "explain") {
    return in_turn(allocator::explain_memory, request);
  }
  if (verb == "simulate") {
    return in_turn(allocator::simulate_memory, request);
  }
  if (verb == "diff") {
    return in_turn(allocator::diff_memory, request);
  }
  throw UsageError("there is no verb '" + verb +
                   "' in libheadroom_memory. Available: diff, explain, simulate");
}

}  // namespace
}  // namespace headroom

const char* headroom_verbs(void) { return "diff explain simulate"; }

headroom_status headroom_explain(headroom_session* session, const char* request, const char* content,
                                 size_t size, char** report) {
  return headroom::c::guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    const headroom::ExplainMemoryRequest work = headroom::c::explain_request(request, content, size);
    headroom::c::give(headroom::in_turn(headroom::allocator::explain_memory, work), report);
  });
}

headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                             char** report) {
  return headroom::c::guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::c::require(session, "session");
    headroom::c::require(verb, "verb");
    headroom::c::give(headroom::run_memory_verb(verb, headroom::c::parsed(request)), report);
  });
}
