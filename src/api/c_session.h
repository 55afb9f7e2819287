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

/// Returns the width of an encoder. Throws UsageError if no encoder has this name. libheadroom_memory.so
/// lacks this function.
std::size_t width_of(const std::string& encoder);

/// Clears the error of the last call in this thread.
void clear_error() noexcept;

/// Stores the text for headroom_last_error(), and returns the status of `code`.
headroom_status failure(ExitCode code, const char* text) noexcept;

/// Stores the text of the exception that is being handled, and returns its status.
headroom_status status_of_exception() noexcept;

/// Runs `work`. If it throws an exception, stores the text of the exception and returns its status.
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

/// Parses the JSON text of a request. NULL stands for an empty object. Throws UsageError if the text is not a
/// JSON object.
nlohmann::json parsed(const char* request);

/// Returns the request of headroom_explain() for content in memory. Throws UsageError if the content is
/// empty.
ExplainMemoryRequest explain_request(const char* request, const char* content, std::size_t size);

/// Sets `out` to the report as text, which headroom_free() frees. Does nothing if `out` is NULL.
void give(const nlohmann::json& report, char** out);

}  // namespace headroom::c
