#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/options/option.h"

/// Reads and writes the options in config.json of a run folder.
namespace molgauge::options {

/// Returns the value as JSON, or null for an optional without a value.
nlohmann::json to_json(const ConstSlot& slot);

/// Writes every option that has a key, in the order of the rows.
template <typename Json>
void write_config_keys(const View& request, Json& object) {
  for (const Option& option : request.options) {
    if (!option.config.name.empty()) {
      object[std::string(option.config.name)] = to_json(request.slot(option));
    }
  }
}

/// Sets every option that has a key. Throws nlohmann::json::exception if a required key is missing or its
/// value has the wrong type.
void read_config_keys(const MutableView& request, const nlohmann::json& object);

/// Whether `key` belongs to an option that is only a remark for readers of config.json
/// (ConfigKey::is_remark).
bool is_remark(std::span<const Option> options, std::string_view key);

}  // namespace molgauge::options
