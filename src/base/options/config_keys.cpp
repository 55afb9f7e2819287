#include "base/options/config_keys.h"

#include <algorithm>

#include "base/core/json/checked_json.h"

namespace molgauge::options {
namespace {

using nlohmann::json;

template <typename Value>
json json_of(const Value& value) {
  return value;
}

template <typename Number>
json json_of(const std::optional<Number>& value) {
  return value ? json(*value) : json();
}

json json_of(const ConstChoiceField& value) {
  const std::string word = value.word();
  return word.empty() && value.type->is_optional ? json() : json(word);
}

void read(const json& held, auto& value) { get_checked(held, value); }

template <typename Number>
void read(const json& held, std::optional<Number>& value) {
  value = held.is_null() ? std::nullopt : std::optional(checked<Number>(held));
}

void read(const json& held, const ChoiceField& value) {
  const std::string word = held.is_null() ? "" : checked<std::string>(held);
  if (!value.set(word)) {
    throw json::type_error::create(302, "a field has the unknown word '" + word + "'", &held);
  }
}

}  // namespace

json to_json(const ConstSlot& slot) {
  return std::visit([](const auto& value) { return json_of(*value); }, slot);
}

void read_config_keys(const MutableView& request, const json& object) {
  for (const Option& option : request.options) {
    const std::string key(option.config.name);
    if (!key.empty() && (object.contains(key) || !option.config.may_be_missing)) {
      std::visit([&](const auto& value) { read(object.at(key), *value); }, request.slot(option));
    }
  }
}

bool is_remark(std::span<const Option> options, std::string_view key) {
  return std::any_of(options.begin(), options.end(), [&](const Option& option) {
    return option.config.name == key && option.config.is_remark;
  });
}

}  // namespace molgauge::options
