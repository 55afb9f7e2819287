#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "options/option.h"

/// Options in config.json of a run folder.
namespace headroom::options {

/// The value as JSON; null where an optional has none.
nlohmann::json to_json(const ConstSlot& slot);

/// Adds every option that has a key, in the order of the rows.
template <typename Json>
void write_config_keys(const View& request, Json& object) {
  for (const Option& option : request.options) {
    if (!option.config.name.empty()) {
      object[std::string(option.config.name)] = to_json(request.slot(option));
    }
  }
}

/// Sets every option that has a key. Throws nlohmann::json::exception where a key is missing that must be
/// there, or holds another type.
void read_config_keys(const MutableView& request, const nlohmann::json& object);

/// Whether a key of config.json is of an option whose value is written for the reader alone.
bool is_remark(std::span<const Option> options, std::string_view key);

}  // namespace headroom::options
