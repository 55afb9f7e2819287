#pragma once

#include <nlohmann/json_fwd.hpp>

#include "options/tables.h"

/// Requests as JSON objects, for programs in other languages.
namespace headroom::options {

/// The key of an option: its name with underscores in place of dashes, in small letters ("memory_budget";
/// "molecules" for the argument MOLECULES).
std::string json_key(const Option& option);
std::string json_key(std::string_view name);

enum class Presence { all_required, as_given };

/// Sets the options that the object names. Throws UsageError on a key that no option has (naming the
/// nearest), a value of another type, a number out of range, and, where `presence` asks for all, a missing
/// argument.
void read_json(const MutableView& request, const nlohmann::json& object, Presence presence);

/// The request that the object describes; options that it does not name keep their defaults.
template <typename Request>
Request read_request(const nlohmann::json& object, Presence presence = Presence::all_required) {
  Request request;
  read_json(mutable_view(request), object, presence);
  return request;
}

}  // namespace headroom::options
