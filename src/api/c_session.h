#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "molgauge/memory_explanation.h"
#include "molgauge/molgauge.h"
#include "molgauge/session.h"

/// The state that the functions of the C API share, in libmolgauge.so and in libmemgauge.so.
struct molgauge_session {
  explicit molgauge_session(molgauge::SessionOptions options) : session(std::move(options)) {}

  molgauge::Session session;
};

namespace molgauge {
class Engine;
}

namespace molgauge::c {

/// Returns the width of an encoder. Throws UsageError if no encoder has this name. libmemgauge.so
/// lacks this function.
std::size_t width_of(const std::string& encoder);

/// Clears the error of the last call in this thread.
void clear_error() noexcept;

/// Stores the text for molgauge_last_error(), and returns the status of `code`.
molgauge_status failure(ExitCode code, const char* text) noexcept;

/// Stores the text of the exception that is being handled, and returns its status.
molgauge_status status_of_exception() noexcept;

/// Runs `work`. If it throws an exception, stores the text of the exception and returns its status.
template <typename Work>
molgauge_status guarded(const Work& work) noexcept {
  clear_error();
  try {
    work();
    return MOLGAUGE_DONE;
  } catch (...) {
    return status_of_exception();
  }
}

/// Throws UsageError if an argument is NULL.
void require(const void* argument, const char* name);

/// Parses the JSON text of a request. NULL stands for an empty object. Throws UsageError if the text is not a
/// JSON object.
nlohmann::json parsed(const char* request);

/// Returns the request of molgauge_explain() for content in memory. Throws UsageError if the content is
/// empty.
ExplainMemoryRequest explain_request(const char* request, const char* content, std::size_t size);

/// Sets `out` to the report as text, which molgauge_free() frees. Does nothing if `out` is NULL.
void give(const nlohmann::json& report, char** out);

}  // namespace molgauge::c
