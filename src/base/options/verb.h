#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/options/json_request.h"
#include "base/options/request_checks.h"
#include "molgauge/engine.h"

/// The registration of verbs. Each verb defines verb<Request>() in the file that runs it, and registry.cpp
/// collects the verbs of all requests in requests.def.
namespace molgauge::verbs {

/// The caches that the engine keeps in memory between calls. A product derives its own class.
class KeptCaches {
 public:
  virtual ~KeptCaches() = default;
};

/// A verb that Engine::run() runs.
struct Verb {
  /// Whether the caches of in-memory calls (encoders and domains) stay in memory during the verb. If the
  /// memory plan of the verb does not include the caches, they are released before it runs.
  enum class Caches { released, kept };

  std::string name;  ///< name as in the C API: "weights_list"
  const std::type_info& request_type;
  std::function<Caches(const void* request)> caches;
  /// Checks the request, runs the verb, and fills the report. `request` points to an object of the type
  /// `request_type`, and `report` to its Report. `kept`: null if the caches were released.
  std::function<void(const void* request, void* report, KeptCaches* kept)> run;
  /// Runs the verb with the request and the report as JSON. Not set if the C API does not have the verb.
  std::function<nlohmann::json(Engine& engine, const nlohmann::json& request)> run_json = nullptr;
  /// The report as JSON, for programs in other languages (docs/reference/formats.md). Keys are the names of
  /// the fields. Numbers that are not finite are null. Not set for a verb that only the program and C++ run
  /// (row_without_json()).
  std::function<nlohmann::json(const void* report)> report_json = nullptr;
  /// Plans the memory of the phases of the verb. Not set if `molgauge memory plan` does not have the verb.
  /// `capacity`: as in PlanMemoryRequest.
  std::function<std::vector<MemoryPlan>(const void* request, const std::optional<std::uint64_t>& capacity)>
      plan = nullptr;
};

/// The verb of a request in requests.def.
template <typename Request>
Verb verb();

#define MOLGAUGE_REQUEST(Request) \
  template <>                     \
  Verb verb<Request>();
#define MOLGAUGE_PROGRAM_REQUEST(Request)
#define MOLGAUGE_REQUEST_WITHOUT_OPTIONS(Request) MOLGAUGE_REQUEST(Request)
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST

/// A function that runs a verb. `kept`: as in Verb::run.
template <typename Request>
using Function = std::function<typename Request::Report(const Request&, KeptCaches* kept)>;

/// A function that uses no caches.
template <typename Request>
Function<Request> without_caches(typename Request::Report (*function)(const Request&)) {
  return [function](const Request& request, KeptCaches* /*kept*/) { return function(request); };
}

/// Makes a verb for a request outside of the option tables.
template <typename Request>
Verb without_options(std::string name, Function<Request> function,
                     Verb::Caches caches = Verb::Caches::released) {
  return {std::move(name), typeid(Request), [caches](const void* /*request*/) { return caches; },
          [function = std::move(function)](const void* request, void* report, KeptCaches* kept) {
            *static_cast<typename Request::Report*>(report) =
                function(*static_cast<const Request*>(request), kept);
          }};
}

/// Makes a verb that checks the options of its request before it runs. The C API does not have it.
template <typename Request>
Verb row_without_json(std::string name, Function<Request> function) {
  return without_options<Request>(std::move(name),
                                  [function = std::move(function)](const Request& request, KeptCaches* kept) {
                                    options::require_valid(request);
                                    return function(request, kept);
                                  });
}

template <typename Request>
Verb row_without_json(std::string name, typename Request::Report (*function)(const Request&)) {
  return row_without_json<Request>(std::move(name), without_caches<Request>(function));
}

/// Like row_without_json(), for a verb of the C API.
template <typename Request>
Verb row(std::string name, Function<Request> function) {
  static_assert(std::is_constructible_v<nlohmann::json, const typename Request::Report&>,
                "list the fields of the report with MOLGAUGE_REPORT_FIELDS (base/options/report_fields.h)");
  Verb verb = row_without_json<Request>(std::move(name), std::move(function));
  verb.run_json = [](Engine& engine, const nlohmann::json& request) -> nlohmann::json {
    return engine.run(options::read_request<Request>(request));
  };
  verb.report_json = [](const void* report) {
    return nlohmann::json(*static_cast<const typename Request::Report*>(report));
  };
  return verb;
}

template <typename Request>
Verb row(std::string name, typename Request::Report (*function)(const Request&)) {
  return row<Request>(std::move(name), without_caches<Request>(function));
}

/// Returns the verb together with the function that plans it. `plan` takes the request, and the capacity if
/// the plan depends on it.
template <typename Request, typename Plan>
Verb planned(Verb verb, Plan plan) {
  verb.plan = [plan](const void* request, const std::optional<std::uint64_t>& capacity) {
    const Request& own = *static_cast<const Request*>(request);
    if constexpr (std::invocable<Plan, const Request&>) {
      return plan(own);
    } else {
      return plan(own, capacity);
    }
  };
  return verb;
}

}  // namespace molgauge::verbs
