#include "experiment/option_table.h"

namespace headroom::experiment {
namespace {

[[noreturn]] void refuse(const char* wanted, const OptionValue& value) {
  throw UsageError(fmt::format("takes {}, not {}", wanted, to_text(value)));
}

}  // namespace

void assign(bool& field, const OptionValue& value) {
  if (const auto* const held = std::get_if<bool>(&value)) {
    field = *held;
  } else {
    refuse("true or false", value);
  }
}

void assign(std::size_t& field, const OptionValue& value) {
  const auto* const held = std::get_if<std::int64_t>(&value);
  if (held == nullptr || *held < 0) {
    refuse("a whole number", value);
  }
  field = static_cast<std::size_t>(*held);
}

void assign(double& field, const OptionValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    field = static_cast<double>(*whole);
  } else if (const auto* const held = std::get_if<double>(&value)) {
    field = *held;
  } else {
    refuse("a number", value);
  }
}

void assign(std::string& field, const OptionValue& value) {
  if (const auto* const held = std::get_if<std::string>(&value)) {
    field = *held;
  } else {
    refuse("a text", value);
  }
}

}  // namespace headroom::experiment
