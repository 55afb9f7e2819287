#include "base/command_line/help_text.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/table_options.h"
#include "base/core/text/counted.h"
#include "base/options/group.h"

namespace molgauge::cli {
namespace {

/// Returns the headings of the option groups of a command, in the order of Group.
std::vector<std::string> groups_of(const CLI::App& command) {
  std::vector<std::string> found;
  const std::vector<std::string> existing = command.get_groups();
  for (int group = 0; group <= static_cast<int>(options::Group::logging); ++group) {
    const std::string title(options::title(static_cast<options::Group>(group)));
    if (std::find(existing.begin(), existing.end(), title) != existing.end()) {
      found.push_back(title);
    }
  }
  return found;
}

/// Breaks a text between words into lines of at most `width` characters. A longer word gets its own line.
std::string in_lines(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t length = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = length == 0 || length + 1 + word.size() <= width;
    lines += lines.empty() ? "" : fits ? " " : "\n";
    length = fits && length > 0 ? length + 1 + word.size() : word.size();
    lines += word;
  }
  return lines;
}

/// Returns the lines that say how many options are hidden and how to see them.
std::string rest(const HiddenOptions& hidden, const std::string& name) {
  if (hidden.options.empty()) {
    return "";
  }
  std::string text =
      fmt::format("\n{}: {} --help-all\n", counted(hidden.options.size(), "more option"), name);
  if (!hidden.choices.empty()) {
    text += fmt::format("Options for a choice: {} --help, with {}\n", name, fmt::join(hidden.choices, ", "));
  }
  return text;
}

}  // namespace

std::string HelpText::make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) {
    return Formatter::make_help(command, name, mode);
  }
  const HiddenOptions hidden = mode == CLI::AppFormatMode::All ? HiddenOptions() : hidden_options(*command);
  std::string text = make_description(command) + make_usage(command, name) + make_positionals(command);
  for (const std::string& group : groups_of(*command)) {
    const auto shown = command->get_options([&](const CLI::Option* option) {
      return option->nonpositional() && option->get_group() == group && !hidden.options.contains(option);
    });
    if (!shown.empty()) {
      text += make_group(group, false, shown);
    }
  }
  return text + rest(hidden, name) + make_subcommands(command, mode) + "\n" + make_footer(command);
}

std::string HelpText::make_option_opts(const CLI::Option* option) const {
  std::string text = Formatter::make_option_opts(option);
  if (const std::size_t dots = text.find(" ..."); option->nonpositional() && dots != std::string::npos) {
    text.erase(dots, 4);
  }
  return text;
}

std::string HelpText::make_option_desc(const CLI::Option* option) const {
  constexpr std::size_t kTerminal = 100;
  return in_lines(option->get_description(), kTerminal - get_column_width());
}

}  // namespace molgauge::cli
