#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/options/tables.h"

/// Reads requests from JSON objects, for programs in other languages.
namespace molgauge::options {

/// Returns the key of an option: its name in lower case, with underscores instead of dashes. Examples:
/// "memory_budget" for --memory-budget, "molecules" for the argument MOLECULES.
std::string json_key(const Option& option);
std::string json_key(std::string_view name);

enum class Presence { all_required, as_given };

/// Sets the options in `object`. Throws UsageError if a key names no option, a value has the wrong type or a
/// number is out of range. The message about an unknown key suggests the nearest key. If `presence` is
/// all_required, also throws UsageError if a required option is missing.
void read_json(const MutableView& request, const nlohmann::json& object, Presence presence);

/// Returns the request that the object describes. Options without a key keep their defaults.
template <typename Request>
Request read_request(const nlohmann::json& object, Presence presence = Presence::all_required) {
  Request request;
  read_json(mutable_view(request), object, presence);
  return request;
}

}  // namespace molgauge::options
