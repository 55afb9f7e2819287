#include "experiment/option_value.h"

#include <fmt/format.h>

namespace headroom::experiment {

std::string to_text(const OptionValue& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

std::string to_text(const OptionValues& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, to_text(value));
  }
  return text;
}

}  // namespace headroom::experiment
