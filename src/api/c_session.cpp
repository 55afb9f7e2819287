// The parts that all libraries with the C API share: sessions, errors and texts.

#include "api/c_session.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "core/internal_failure.h"
#include "core/json_reader.h"
#include "core/json_text.h"
#include "core/log.h"
#include "options/json_request.h"

namespace headroom::c {
namespace {

using nlohmann::json;

thread_local std::string last_error;

char* owned_copy(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) {
    throw std::bad_alloc();
  }
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

LogLevel log_level_of(headroom_log_level level) {
  if (level < HEADROOM_LOG_TRACE || level > HEADROOM_LOG_OFF) {
    throw UsageError("the log level is not a value of headroom_log_level. Pass one of its values");
  }
  return static_cast<LogLevel>(level);
}

SessionOptions session_options(const headroom_session_options* given) {
  SessionOptions options;
  if (given == nullptr) {
    return options;
  }
  headroom_session_options c = {};
  std::memcpy(&c, given, std::min(given->struct_size, sizeof(c)));
  if (given->struct_size < offsetof(headroom_session_options, log)) {
    throw UsageError(
        "struct_size of the session's options is too small. Set it to sizeof(headroom_session_options)");
  }
  options.log_level = log_level_of(c.log_level);
  options.quiet = c.quiet != 0;
  if (c.log != nullptr) {
    options.log = [c](LogLevel level, std::string_view text) {
      c.log(c.user, static_cast<headroom_log_level>(level), std::string(text).c_str());
    };
  }
  if (c.progress != nullptr) {
    options.progress = [c](const ProgressReport& report) {
      const std::string title(report.title), unit(report.unit);
      const headroom_progress progress = {title.c_str(), unit.c_str(),      report.done,
                                          report.total,  report.per_second, report.finished ? 1 : 0};
      c.progress(c.user, &progress);
    };
  }
  return options;
}

}  // namespace

void clear_error() noexcept { last_error.clear(); }

headroom_status failure(ExitCode code, const char* text) noexcept {
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();  // not enough memory to store the text
  }
  return static_cast<headroom_status>(code);
}

headroom_status status_of_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return failure(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return failure(ExitCode::over_budget, "out of memory");
  } catch (const std::logic_error& error) {
    return failure(ExitCode::failed, internal_failure(error.what()).c_str());
  } catch (const std::exception& error) {
    return failure(ExitCode::failed, error.what());
  } catch (...) {
    return failure(ExitCode::failed, "unknown error");
  }
}

void require(const void* argument, const char* name) {
  if (argument == nullptr) {
    throw UsageError(std::string(name) + " is NULL");
  }
}

namespace {

/// Throws UsageError if a text in the JSON value contains a NUL character. A path would end there, and the
/// rest would be cut off silently.
void refuse_nul(const json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('\0') != std::string::npos) {
      throw UsageError("the request has a NUL character in '" + text.substr(0, text.find('\0')) +
                       "'. Remove it");
    }
  } else if (value.is_structured()) {
    for (const json& part : value) {
      refuse_nul(part);
    }
  }
}

}  // namespace

json parsed(const char* request) {
  if (request == nullptr) {
    return json::object();
  }
  try {
    json object = parse_json<json>(request);
    if (object.is_object()) {
      refuse_nul(object);
      return object;
    }
  } catch (const json::exception& problem) {
    throw UsageError("the request is not JSON: " + json_problem(problem));
  }
  throw UsageError("the request is not a JSON object");
}

ExplainMemoryRequest explain_request(const char* request, const char* content, std::size_t size) {
  auto work = options::read_request<ExplainMemoryRequest>(parsed(request), options::Presence::as_given);
  if (size == 0) {
    throw UsageError(
        "the content is empty. Pass the bytes of a memory snapshot or the text of an error message");
  }
  require(content, "content");
  work.content = {content, size};
  return work;
}

void give(const json& report, char** out) {
  if (out != nullptr) {
    // json_line() replaces invalid UTF-8, for example in a path, because other programs read the report.
    *out = owned_copy(json_line(report));
  }
}

}  // namespace headroom::c

const char* headroom_version(void) { return HEADROOM_VERSION; }

int headroom_api_version(void) { return HEADROOM_API_VERSION; }

const char* headroom_last_error(void) { return headroom::c::last_error.c_str(); }

headroom_status headroom_open(const headroom_session_options* options, headroom_session** session) {
  return headroom::c::guarded([&] {
    headroom::c::require(session, "session");
    *session = nullptr;
    *session = new headroom_session(headroom::c::session_options(options));
  });
}

headroom_status headroom_set_log_level(headroom_session* session, headroom_log_level level) {
  return headroom::c::guarded([&] {
    headroom::c::require(session, "session");
    headroom::set_log_level(headroom::c::log_level_of(level));
  });
}

void headroom_close(headroom_session* session) { delete session; }

void headroom_stop(headroom_session* session) {
  if (session != nullptr) {
    session->session.stop();
  }
}

void headroom_free(char* text) { std::free(text); }
