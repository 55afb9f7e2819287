#include "base/options/spelled_options.h"

#include <set>

#include "base/options/json_request.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

const std::set<std::string_view>& all_names() {
  static const std::set<std::string_view> names = [] {
    std::set<std::string_view> all;
    const auto add = [&](std::span<const Option> options) {
      for (const Option& option : options) {
        all.insert(option.name);
      }
    };
#define MOLGAUGE_REQUEST(Request) add(table<Request>());
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST
    return all;
  }();
  return names;
}

/// The option name at the start of `text`. Empty if no option has this name.
std::string_view name_at(std::string_view text) {
  text = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"));
  while (text.ends_with('-')) {
    text.remove_suffix(1);
  }
  return all_names().contains(text) ? text : "";
}

}  // namespace

std::string with_options_spelled(std::string_view message,
                                 const std::function<std::string(std::string_view name)>& spelling) {
  constexpr std::string_view kBefore = " (\n'\"`";
  std::string words;
  for (std::size_t at = 0; at < message.size();) {
    const bool may_begin = at == 0 || kBefore.find(message[at - 1]) != std::string_view::npos;
    const bool has_dashes = may_begin && message.substr(at, 2) == "--";
    const std::string_view name = has_dashes ? name_at(message.substr(at + 2)) : "";
    if (name.empty()) {
      words += message[at++];
    } else {
      words += spelling(name);
      at += 2 + name.size();
    }
  }
  return words;
}

std::string with_options_as_keys(std::string_view message) {
  return with_options_spelled(message, [](std::string_view name) { return json_key(name); });
}

}  // namespace molgauge::options
