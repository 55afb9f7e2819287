// The C API with only the memory verbs, for libmemgauge.so.

#include <mutex>
#include <string>

#include "api/c_session.h"
#include "base/core/json/json_reader.h"
#include "base/core/session/session_state.h"
#include "base/options/json_request.h"
#include "base/options/settings.h"
#include "memgauge/verbs/verbs.h"

namespace molgauge {
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
  throw UsageError("there is no verb '" + verb + "' in libmemgauge. Available: diff, explain, simulate");
}

}  // namespace
}  // namespace molgauge

const char* molgauge_verbs(void) { return "diff explain simulate"; }

molgauge_status molgauge_explain(molgauge_session* session, const char* request, const char* content,
                                 size_t size, char** report) {
  return molgauge::c::guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    molgauge::c::require(session, "session");
    const molgauge::ExplainMemoryRequest work = molgauge::c::explain_request(request, content, size);
    molgauge::c::give(molgauge::in_turn(molgauge::allocator::explain_memory, work), report);
  });
}

molgauge_status molgauge_run(molgauge_session* session, const char* verb, const char* request,
                             char** report) {
  return molgauge::c::guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    molgauge::c::require(session, "session");
    molgauge::c::require(verb, "verb");
    molgauge::c::give(molgauge::run_memory_verb(verb, molgauge::c::parsed(request)), report);
  });
}
