// The C API (include/headroom/headroom.h): the engine behind plain functions, requests and reports as JSON.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json_reader.h"
#include "engine/report_json.h"
#include "headroom/engine.h"
#include "headroom/headroom.h"
#include "options/json_request.h"

struct headroom_session {
  explicit headroom_session(headroom::SessionOptions options) : session(std::move(options)) {}
  headroom::Engine& engine() { return headroom::engine(session); }

  headroom::Session session;
};

namespace headroom {
namespace {

using nlohmann::json;

thread_local std::string last_error;

headroom_status status_of(ExitCode code) { return static_cast<headroom_status>(code); }

headroom_status failure(ExitCode code, const char* text) noexcept {
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();  // no memory for the text
  }
  return status_of(code);
}

/// Runs `work` and turns its exceptions into a status.
template <typename Work>
headroom_status guarded(const Work& work) noexcept {
  last_error.clear();
  try {
    work();
    return HEADROOM_DONE;
  } catch (const Error& error) {
    return failure(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return failure(ExitCode::over_budget, "the machine has no memory left");
  } catch (const std::exception& error) {
    return failure(ExitCode::failed, error.what());
  } catch (...) {
    return failure(ExitCode::failed, "an error of an unknown kind");
  }
}

char* owned_copy(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) {
    throw std::bad_alloc();
  }
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void give(const json& report, char** out) {
  if (out != nullptr) {
    // Invalid UTF-8 (in a path, say) is replaced, because other programs read the report.
    *out = owned_copy(report.dump(-1, ' ', false, json::error_handler_t::replace));
  }
}

void require(const void* argument, const char* name) {
  if (argument == nullptr) {
    throw UsageError(std::string(name) + " is NULL");
  }
}

json parsed(const char* request) {
  if (request == nullptr) {
    return json::object();
  }
  try {
    json object = parse_json<json>(request);
    if (object.is_object()) {
      return object;
    }
  } catch (const json::exception& problem) {
    throw UsageError("the request is not JSON: " + json_problem(problem));
  }
  throw UsageError("the request is not a JSON object");
}

using Verb = json (*)(Engine& engine, const json& request);

/// The verb that calls this method of the engine.
template <typename Request, auto method>
json call(Engine& engine, const json& request) {
  return report_json((engine.*method)(options::read_request<Request>(request)));
}

/// The number of rows that a verb of the store wrote or removed.
template <typename Request, auto method>
json count_rows(Engine& engine, const json& request) {
  return {{"rows", (engine.*method)(options::read_request<Request>(request))}};
}

json list_encoders(Engine& engine, const json& request) {
  if (!request.empty()) {
    throw UsageError("the verb encoders takes no options");
  }
  return report_json(engine.encoders());
}

const std::map<std::string, Verb>& verbs() {
  using EncodeFile = EncodeReport (Engine::*)(const EncodeRequest&);
  constexpr EncodeFile encode = &Engine::encode;
  static const std::map<std::string, Verb> all = {
      {"baseline", call<BaselineRequest, &Engine::baseline>},
      {"conformers", call<ConformersRequest, &Engine::make_conformers>},
      {"diff", call<DiffMemoryRequest, &Engine::diff_memory>},
      {"domain", call<DomainRequest, &Engine::judge_domain>},
      {"encode", call<EncodeRequest, encode>},
      {"encoders", list_encoders},
      {"evaluate", call<EvaluateRequest, &Engine::evaluate>},
      {"experiment", call<ExperimentRequest, &Engine::run_experiment>},
      {"explain", call<ExplainMemoryRequest, &Engine::explain_memory>},
      {"report", call<ReportRequest, &Engine::write_report>},
      {"score", call<ScoreRequest, &Engine::score>},
      {"simulate", call<SimulateMemoryRequest, &Engine::simulate_memory>},
      {"split", call<SplitRequest, &Engine::split>},
      {"store_export", count_rows<ExportStoreRequest, &Engine::store_export>},
      {"store_import", call<ImportFeaturesRequest, &Engine::store_import>},
      {"store_info", call<StoreRequest, &Engine::store_info>},
      {"store_prune", count_rows<PruneStoreRequest, &Engine::store_prune>},
      {"store_verify", call<StoreRequest, &Engine::store_verify>},
      {"train", call<TrainRequest, &Engine::train>},
      {"weights_init", call<InitWeightsRequest, &Engine::init_weights>},
      {"weights_install", call<InstallWeightsRequest, &Engine::install_weights>},
      {"weights_list", call<WeightsRequest, &Engine::list_weights>},
  };
  return all;
}

Verb find_verb(const std::string& name) {
  const auto found = verbs().find(name);
  if (found == verbs().end()) {
    std::string names;
    for (const auto& [verb, function] : verbs()) {
      names += (names.empty() ? "" : ", ") + verb;
    }
    throw UsageError("there is no verb '" + name + "'; there are " + names);
  }
  return found->second;
}

std::size_t width_of(Engine& engine, const std::string& encoder) {
  std::string names;
  for (const EncoderInfo& info : engine.encoders()) {
    if (info.name == encoder) {
      return info.width;
    }
    names += (names.empty() ? "" : ", ") + info.name;
  }
  throw UsageError("there is no encoder '" + encoder + "'; there are " + names);
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
        "struct_size of the session's options is too small; set it to sizeof(headroom_session_options)");
  }
  if (c.log_level < HEADROOM_LOG_TRACE || c.log_level > HEADROOM_LOG_OFF) {
    throw UsageError("the session's log_level is none of headroom_log_level");
  }
  options.log_level = static_cast<LogLevel>(c.log_level);
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
}  // namespace headroom

using headroom::guarded;

const char* headroom_version(void) { return HEADROOM_VERSION; }

int headroom_api_version(void) { return HEADROOM_API_VERSION; }

const char* headroom_last_error(void) { return headroom::last_error.c_str(); }

headroom_status headroom_open(const headroom_session_options* options, headroom_session** session) {
  return guarded([&] {
    headroom::require(session, "session");
    *session = nullptr;
    *session = new headroom_session(headroom::session_options(options));
  });
}

void headroom_close(headroom_session* session) { delete session; }

void headroom_stop(headroom_session* session) {
  if (session != nullptr) {
    session->session.stop();
  }
}

headroom_status headroom_run(headroom_session* session, const char* verb, const char* request,
                             char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::require(session, "session");
    headroom::require(verb, "verb");
    headroom::give(headroom::find_verb(verb)(session->engine(), headroom::parsed(request)), report);
  });
}

headroom_status headroom_encoder_width(headroom_session* session, const char* encoder, size_t* width) {
  return guarded([&] {
    headroom::require(session, "session");
    headroom::require(encoder, "encoder");
    headroom::require(width, "width");
    *width = headroom::width_of(session->engine(), encoder);
  });
}

headroom_status headroom_encode(headroom_session* session, const char* request, const char* const* smiles,
                                size_t count, float* rows, size_t width, char** report) {
  return guarded([&] {
    if (report != nullptr) {
      *report = nullptr;
    }
    headroom::require(session, "session");
    if (count > 0) {
      headroom::require(smiles, "smiles");
      headroom::require(rows, "rows");
    }
    std::vector<std::string> texts;
    texts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      headroom::require(smiles[i], ("smiles[" + std::to_string(i) + "]").c_str());
      texts.emplace_back(smiles[i]);
    }
    const auto encode = headroom::options::read_request<headroom::EncodeRequest>(
        headroom::parsed(request), headroom::options::Presence::as_given);
    headroom::give(headroom::report_json(session->engine().encode(encode, texts, {rows, count * width})),
                   report);
  });
}

void headroom_free(char* text) { std::free(text); }
