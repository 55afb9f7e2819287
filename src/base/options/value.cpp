#include "base/options/value.h"

#include <fmt/format.h>

namespace molgauge::options {

std::string to_text(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::string to_text(const Values& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, to_text(value));
  }
  return text;
}

}  // namespace molgauge::options
