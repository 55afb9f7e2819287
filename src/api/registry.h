#pragma once

#include <string>
#include <typeinfo>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/options/verb.h"

/// All verbs, collected from base/options/requests.def.
namespace molgauge::verbs {

/// The verb of a request type.
const Verb& find_verb(const std::type_info& request_type);

/// The verb of the C API with this name. Throws UsageError, which lists all names, if no verb has this name.
const Verb& find_verb(const std::string& name);

/// The names of the verbs of the C API, sorted.
std::vector<std::string> json_verbs();

/// The report of a call that did not go through Verb::run_json, as JSON.
template <typename Request>
nlohmann::json report_json(const typename Request::Report& report) {
  return find_verb(typeid(Request)).report_json(&report);
}

}  // namespace molgauge::verbs
