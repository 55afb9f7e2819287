#include "base/command_line/spelling.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/help_text.h"
#include "base/core/text/nearest_name.h"

namespace molgauge::cli {
namespace {

std::vector<std::string> verb_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* const verb : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// Returns the name of a command after the names of its parents, for example "molgauge memory plan".
std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

/// Returns a hint if users often type this word by mistake instead of a verb. The hint names the command that
/// they probably mean. Returns an empty text if there is no hint.
std::string hint_instead_of(const CLI::App& command, const std::string& word) {
  if (word == "help") {
    return fmt::format(". For help, run: {} --help", full_name(command));
  }
  if (word.ends_with(".py")) {
    return fmt::format(". To predict the GPU memory of a PyTorch script, run: python3 -m memgauge predict {}",
                       word);
  }
  if (command.get_name() == "memory" && (word == "predict" || word == "run")) {
    return fmt::format(". It is part of the Python package: python3 -m memgauge {} SCRIPT", word);
  }
  return "";
}

std::string no_such_verb(const CLI::App& command, const std::string& word) {
  const auto names = verb_names(command);
  if (const std::string hint = hint_instead_of(command, word); !hint.empty()) {
    return fmt::format("{} has no verb '{}'{}", full_name(command), word, hint);
  }
  const std::string meant = did_you_mean(word, names);
  return fmt::format("{} has no verb '{}'{}", full_name(command), word,
                     meant.empty() ? fmt::format(". It has {}", fmt::join(names, ", ")) : meant);
}

std::string no_such_option(const CLI::App& command, const std::string& name) {
  const std::string meant = did_you_mean(name, option_names(command));
  return fmt::format(
      "{} has no option '{}'{}", full_name(command), name,
      meant.empty() ? fmt::format(". {} --help-all lists its options", full_name(command)) : meant);
}

/// Returns the message for an unknown short option such as -o. The message suggests a long option that begins
/// with this letter, if there is one.
std::string no_short_option(const CLI::App& command, const std::string& word) {
  const auto names = option_names(command);
  const auto meant = std::ranges::find_if(names, [&](const std::string& name) { return name[2] == word[1]; });
  return fmt::format("{} has no option '{}'. Options have long names{}", full_name(command), word,
                     meant == names.end() ? "" : fmt::format(", such as {}", *meant));
}

/// Returns the command that the user typed, which is the last recognised verb.
const CLI::App& typed_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
  }
  return *command;
}

}  // namespace

std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem) {
  const CLI::App& command = typed_command(app);
  const std::string name = full_name(command);
  const auto verbs = verb_names(command);
  if (!verbs.empty() && problem.get_name() == "RequiredError") {
    return fmt::format("a verb is missing. {} has the verbs {}\nFor more information, run: {} --help", name,
                       fmt::join(verbs, ", "), name);
  }
  std::string text = problem.what();
  if (problem.get_name() == "RequiredError") {
    text += "\n" + HelpText().make_usage(&command, name);
    text.erase(text.find_last_not_of('\n') + 1);
  }
  return fmt::format("{}\nFor more information, run: {} --help", text, name);
}

std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* const option = command->get_option_no_throw(name);
      if (option == nullptr) {
        return no_such_option(*command, name);
      }
      const bool takes_next = option->get_items_expected_max() > 0 && name == word;
      i += takes_next ? 1 : 0;
      continue;
    }
    const bool is_short =
        word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]));
    if (is_short && command->get_option_no_throw(word) == nullptr) {
      return no_short_option(*command, word);
    }
    const auto names = verb_names(*command);
    if (names.empty() || word.starts_with('-')) {
      continue;  // a positional argument, or a short option
    }
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      return no_such_verb(*command, word);
    }
    command = command->get_subcommand(word);
    if (command->get_prefix_command()) {
      return std::nullopt;  // the remaining words belong to another program
    }
  }
  return std::nullopt;
}

}  // namespace molgauge::cli
