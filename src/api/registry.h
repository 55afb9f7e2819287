#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molgauge/engine.h"

namespace molgauge::session {
class EncoderCache;
}

namespace molgauge::verbs {

/// A verb that Engine::run() runs.
struct Verb {
  /// Whether the caches of in-memory calls (encoders and domains) stay in memory during the verb. If the
  /// memory plan of the verb does not include the caches, they are released before it runs.
  enum class Caches { released, kept };

  std::string name;  ///< name as in the C API: "weights_list"
  const std::type_info& request_type;
  std::function<Caches(const void* request)> caches;
  /// Checks the request, runs the verb, and fills the report. `request` points to an object of the type
  /// `request_type`, and `report` to its Report. `kept`: the cached encoders, or null if the caches were
  /// released.
  std::function<void(const void* request, void* report, session::EncoderCache* kept)> run;
  /// Runs the verb with the request and the report as JSON. Not set if the C API does not have the verb.
  std::function<nlohmann::json(Engine& engine, const nlohmann::json& request)> run_json;
  /// Plans the memory of the phases of the verb. Not set if `molgauge memory plan` does not have the verb.
  /// `capacity`: as in PlanMemoryRequest.
  std::function<std::vector<MemoryPlan>(const void* request, const std::optional<std::uint64_t>& capacity)>
      plan = nullptr;
};

/// Implements `molgauge memory plan`.
std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request);

/// All verbs, in the order of their names.
std::span<const Verb> registry();

/// The verb of a request type.
const Verb& find_verb(const std::type_info& request_type);

/// The names of the verbs of the C API, separated by spaces.
std::string names_of_json_verbs();

/// The verb of the C API with this name. Throws UsageError, which lists all names, if no verb has this name.
const Verb& find_verb(const std::string& name);

}  // namespace molgauge::verbs
