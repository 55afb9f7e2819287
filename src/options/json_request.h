#pragma once

#include <nlohmann/json_fwd.hpp>

#include "options/tables.h"

/// Reads requests from JSON objects, for programs in other languages.
namespace headroom::options {

/// Returns the key of an option: its name in lower case, with underscores instead of dashes. Examples:
/// "memory_budget" for --memory-budget, "molecules" for the argument MOLECULES.
std::string json_key(const Option& option);
std::string json_key(std::string_view name);

enum class Presence { all_required, as_given };

/// Sets the options in the object. Throws UsageError for a key without an option, a value of another type and
/// a number out of range. For an unknown key, the message suggests the nearest key. If `presence` requires
/// it, also throws UsageError for a missing argument.
void read_json(const MutableView& request, const nlohmann::json& object, Presence presence);

/// Returns the request that the object describes. Options without a key keep their defaults.
template <typename Request>
Request read_request(const nlohmann::json& object, Presence presence = Presence::all_required) {
  Request request;
  read_json(mutable_view(request), object, presence);
  return request;
}

}  // namespace headroom::options
