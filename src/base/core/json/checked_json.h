#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "molgauge/choices.h"

namespace molgauge {

// nlohmann::json converts numbers without a range check. The conversion of 1e119 to an integer, for example,
// is undefined behaviour. Code that reads values from files therefore uses the functions of this header.

template <typename Number>
concept WholeNumber = std::integral<Number> && !std::same_as<Number, bool>;

/// Converts a JSON value to the type Value. Throws nlohmann::json::type_error if the JSON value has another
/// type, or if it is a number outside the range of Value.
template <typename Value, typename Json>
Value checked(const Json& field) {
  if constexpr (WholeNumber<Value>) {
    if (field.is_number_unsigned() &&
        std::in_range<Value>(field.template get<typename Json::number_unsigned_t>())) {
      return static_cast<Value>(field.template get<typename Json::number_unsigned_t>());
    }
    if (field.is_number_integer() && !field.is_number_unsigned() &&
        std::in_range<Value>(field.template get<typename Json::number_integer_t>())) {
      return static_cast<Value>(field.template get<typename Json::number_integer_t>());
    }
    // Some programs write an integer such as 5 as 5.0.
    if (field.is_number_float()) {
      const double number = field.template get<double>();
      const double beyond = std::ldexp(1.0, std::numeric_limits<Value>::digits);
      if (std::trunc(number) == number && number < beyond &&
          number >= (std::is_signed_v<Value> ? -beyond : 0.0)) {
        return static_cast<Value>(number);
      }
    }
    throw Json::type_error::create(
        302, "a field is not a whole number, or it is too large: " + json_line(field), &field);
  } else if constexpr (Choice<Value>) {
    const auto word = field.template get<std::string>();
    if (const auto value = from_word<Value>(word)) {
      return *value;
    }
    throw Json::type_error::create(302, "a field has the unknown word '" + word + "'", &field);
  } else {
    return field.template get<Value>();
  }
}

/// Converts the value of a field with checked() to the type of `value`, and stores it in `value`.
template <typename Json, typename Value>
void get_checked(const Json& field, Value& value) {
  value = checked<Value>(field);
}

/// Reads and checks a field of an object. Returns `otherwise` if the field is missing.
template <typename Json, typename Value>
Value checked_or(const Json& fields, const std::string& name, Value otherwise) {
  const auto found = fields.find(name);
  return found == fields.end() ? otherwise : checked<Value>(*found);
}

}  // namespace molgauge
