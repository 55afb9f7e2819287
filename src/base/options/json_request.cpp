#include "base/options/json_request.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_text.h"
#include "base/core/text/nearest_name.h"
#include "base/options/settings.h"

namespace molgauge::options {
namespace {

using nlohmann::json;

std::int64_t whole_number(const json& held, const std::string& key) {
  if (held.is_number_unsigned() && held.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    throw UsageError(fmt::format("'{}': {} is too large", key, json_line(held)));
  }
  return held.get<std::int64_t>();
}

Value value_of(const json& held, const std::string& key) {
  switch (held.type()) {
    case json::value_t::boolean:
      return held.get<bool>();
    case json::value_t::number_unsigned:
    case json::value_t::number_integer:
      return whole_number(held, key);
    case json::value_t::number_float:
      return held.get<double>();
    case json::value_t::string:
      return held.get<std::string>();
    default:
      throw UsageError(fmt::format("'{}' takes a text, a number, true or false", key));
  }
}

const Option& option_of(std::span<const Option> options, const std::string& key) {
  std::vector<std::string> keys;
  for (const Option& option : options) {
    keys.push_back(json_key(option));
    if (keys.back() == key) {
      return option;
    }
  }
  throw UsageError(fmt::format("there is no option '{}'{}", key, did_you_mean(key, keys)));
}

void set_from_json(const MutableView& request, const Option& option, const std::string& key,
                   const json& held) {
  if (held.is_null()) {
    return;  // the field keeps its default
  }
  if (option.clears) {
    if (!held.is_boolean()) {
      throw UsageError(fmt::format("'{}' takes true or false", key));
    }
    assign(request, option, key, !held.get<bool>());
  } else if (held.is_array()) {
    if (!std::holds_alternative<std::vector<std::string>*>(request.slot(option))) {
      throw UsageError(fmt::format("'{}' takes one value, not a list", key));
    }
    for (const json& one : held) {
      assign(request, option, key, value_of(one, key));
    }
  } else if (held.is_number_unsigned() && option.name.ends_with("memory-budget")) {
    // A JSON number is a number of bytes. It is converted to text and parsed like a value on the command
    // line.
    assign(request, option, key, held.dump());
  } else {
    assign(request, option, key, value_of(held, key));
  }
}

}  // namespace

std::string json_key(const Option& option) { return json_key(option.name); }

std::string json_key(std::string_view name) {
  std::string key(name);
  std::transform(key.begin(), key.end(), key.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return key;
}

void read_json(const MutableView& request, const json& object, Presence presence) {
  for (const auto& [key, held] : object.items()) {
    set_from_json(request, option_of(request.options, key), key, held);
  }
  for (const Option& option : request.options) {
    if (option.is_required && presence == Presence::all_required && !object.contains(json_key(option))) {
      throw UsageError(fmt::format("'{}' is missing from the request", json_key(option)));
    }
  }
  require_ranges(request);
}

}  // namespace molgauge::options
