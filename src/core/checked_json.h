#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "headroom/choices.h"

namespace headroom {

// nlohmann::json converts any number to any other type. The conversion of 1e119 to a whole number is
// undefined behaviour. Values from files are read through the functions of this file.

template <typename Number>
concept WholeNumber = std::integral<Number> && !std::same_as<Number, bool>;

/// Converts a JSON value to a Value. Throws nlohmann::json::type_error if it has another type, or if it is a
/// number that a Value cannot hold.
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
    // Some programs write whole numbers as 5.0.
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

/// Reads the value of a field into a variable, and checks it by the type of the variable.
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

}  // namespace headroom
