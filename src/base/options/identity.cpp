#include "base/options/identity.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/options/config_keys.h"

namespace molgauge::options {
namespace {

void append(std::string& text, std::string_view label, const ConstSlot& slot) {
  text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", label, label.empty() ? "" : " ", to_text(slot));
}

}  // namespace

std::string identity_as_json(const View& request, Part part) {
  nlohmann::json identity = nlohmann::json::object();
  for (const Option& option : request.options) {
    if (option.identity.part != part) {
      continue;
    }
    identity[std::string(option.identity.label)] = to_json(request.slot(option));
  }
  return identity.dump();
}

std::string identity_as_text(const View& request, Part part) {
  std::string text;
  for (const Option& option : request.options) {
    if (option.identity.part == part) {
      append(text, option.identity.label, request.slot(option));
    }
  }
  return text;
}

std::string plan_as_text(const View& request, Section section) {
  std::string text;
  for (const Option& option : request.options) {
    if (option.is_in_plan && option.specification.section == section) {
      append(text, option.name, request.slot(option));
    }
  }
  return text;
}

}  // namespace molgauge::options
