#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "headroom/headroom.h"
#include "headroom/memory_explanation.h"
#include "headroom/session.h"

/// The state that the functions of the C API share, in libheadroom.so and in libheadroom_memory.so.
struct headroom_session {
  explicit headroom_session(headroom::SessionOptions options) : session(std::move(options)) {}

  headroom::Session session;
};

namespace headroom {
class Engine;
}

namespace headroom::c {

/// The width of an encoder. Throws UsageError if there is none of this name. Not in libheadroom_memory.so.
std::size_t width_of(const std::string& encoder);

/// Clears the error of the last call in this thread.
void clear_error() noexcept;

/// Keeps the text for headroom_last_error() and gives the status.
headroom_status failure(ExitCode code, const char* text) noexcept;

/// The status of the exception that is being handled.
headroom_status status_of_exception() noexcept;

/// Runs `work` and turns its exceptions into a status.
template <typename Work>
headroom_status guarded(const Work& work) noexcept {
  clear_error();
  try {
    work();
    return HEADROOM_DONE;
  } catch (...) {
    return status_of_exception();
  }
}

/// Throws UsageError if an argument is NULL.
void require(const void* argument, const char* name);

/// Parses the request. NULL gives an empty object. Throws UsageError if it is not a JSON object.
nlohmann::json parsed(const char* request);

/// The request of headroom_explain(). Throws UsageError if the content is empty.
ExplainMemoryRequest explain_request(const char* request, const char* content, std::size_t size);

/// Passes the report to the caller. Does nothing if `out` is NULL.
void give(const nlohmann::json& report, char** out);

}  // namespace headroom::c
