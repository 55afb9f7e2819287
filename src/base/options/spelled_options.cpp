#include "base/options/spelled_options.h"

#include <cctype>
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

/// The end of the command "molgauge VERB ..." that begins at `start`, or `start` if none begins there. A
/// command ends at a quotation mark, a bracket, a comma, or the end of the sentence or line.
std::size_t end_of_command(std::string_view message, std::size_t start) {
  constexpr std::string_view kProgram = "molgauge ";
  const std::string_view rest = message.substr(start);
  if (!rest.starts_with(kProgram) || rest.size() == kProgram.size() ||
      !std::islower(static_cast<unsigned char>(rest[kProgram.size()]))) {
    return start;
  }
  std::size_t end = start;
  while (end < message.size()) {
    const bool ends_sentence = message[end] == '.' && (end + 1 == message.size() || message[end + 1] == ' ');
    if (ends_sentence || std::string_view("\n'\"`),;").find(message[end]) != std::string_view::npos) {
      break;
    }
    ++end;
  }
  return end;
}

}  // namespace

std::string with_options_spelled(std::string_view message,
                                 const std::function<std::string(std::string_view name)>& spelling) {
  constexpr std::string_view kBefore = " (\n'\"`";
  std::string words;
  for (std::size_t at = 0; at < message.size();) {
    if (const std::size_t end = end_of_command(message, at); end > at) {
      words += message.substr(at, end - at);
      at = end;
      continue;
    }
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
