// The parts that all libraries with the C API share: sessions, errors and texts.

#include "api/c_session.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/internal_failure.h"
#include "base/core/session/log.h"
#include "base/options/json_request.h"
#include "base/options/spelled_options.h"

namespace molgauge::c {
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

LogLevel log_level_of(molgauge_log_level level) {
  if (level < MOLGAUGE_LOG_TRACE || level > MOLGAUGE_LOG_OFF) {
    throw UsageError("the log level is not a value of molgauge_log_level. Pass one of its values");
  }
  return static_cast<LogLevel>(level);
}

SessionOptions session_options(const molgauge_session_options* given) {
  SessionOptions options;
  if (given == nullptr) {
    return options;
  }
  molgauge_session_options c = {};
  std::memcpy(&c, given, std::min(given->struct_size, sizeof(c)));
  if (given->struct_size < offsetof(molgauge_session_options, log)) {
    throw UsageError(
        "struct_size of the session's options is too small. Set it to sizeof(molgauge_session_options)");
  }
  options.log_level = log_level_of(c.log_level);
  options.quiet = c.quiet != 0;
  if (c.log != nullptr) {
    options.log = [c](LogLevel level, std::string_view text) {
      c.log(c.user, static_cast<molgauge_log_level>(level), options::with_options_as_keys(text).c_str());
    };
  }
  if (c.progress != nullptr) {
    options.progress = [c](const ProgressReport& report) {
      const std::string title(report.title), unit(report.unit);
      const molgauge_progress progress = {title.c_str(), unit.c_str(),      report.done,
                                          report.total,  report.per_second, report.finished ? 1 : 0};
      c.progress(c.user, &progress);
    };
  }
  return options;
}

}  // namespace

void clear_error() noexcept { last_error.clear(); }

molgauge_status failure(ExitCode code, const char* text) noexcept {
  try {
    last_error = options::with_options_as_keys(text);
  } catch (...) {
    last_error.clear();  // not enough memory to store the text
  }
  return static_cast<molgauge_status>(code);
}

molgauge_status status_of_exception() noexcept {
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

}  // namespace molgauge::c

const char* molgauge_version(void) { return MOLGAUGE_VERSION; }

int molgauge_api_version(void) { return MOLGAUGE_API_VERSION; }

const char* molgauge_last_error(void) { return molgauge::c::last_error.c_str(); }

molgauge_status molgauge_open(const molgauge_session_options* options, molgauge_session** session) {
  return molgauge::c::guarded([&] {
    molgauge::c::require(session, "session");
    *session = nullptr;
    *session = new molgauge_session(molgauge::c::session_options(options));
  });
}

molgauge_status molgauge_set_log_level(molgauge_session* session, molgauge_log_level level) {
  return molgauge::c::guarded([&] {
    molgauge::c::require(session, "session");
    molgauge::set_log_level(molgauge::c::log_level_of(level));
  });
}

void molgauge_close(molgauge_session* session) { delete session; }

void molgauge_stop(molgauge_session* session) {
  if (session != nullptr) {
    session->session.stop();
  }
}

void molgauge_free(char* text) { std::free(text); }
