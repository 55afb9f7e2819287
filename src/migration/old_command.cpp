#include "migration/old_command.h"

namespace headroom::migration {
namespace {

OldProgram program_of(const std::string& name) {
  for (const auto program :
       {OldProgram::energy, OldProgram::generalisation, OldProgram::predictor, OldProgram::baselines}) {
    if (name == to_string(program)) {
      return program;
    }
  }
  return OldProgram::experiments;
}

/// "--name=value" is two words.
std::vector<std::string> arguments_of(const ScriptCommand& command) {
  std::vector<std::string> arguments;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    const auto sign = word.starts_with("--") ? word.find('=') : std::string::npos;
    arguments.push_back(word.substr(0, sign));
    if (sign != std::string::npos) {
      arguments.push_back(word.substr(sign + 1));
    }
  }
  return arguments;
}

/// The option of that name, or the only one that begins with it.
const OldOption* option_of(OldProgram program, const std::string& word) {
  const OldOption* found = find_old_option(program, word);
  if (found != nullptr || !word.starts_with("--") || word.size() < 3) {
    return found;
  }
  for (const OldOption& option : old_options()) {
    if (option.name.starts_with(word) && find_old_option(program, option.name) == &option) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &option;
    }
  }
  return found;
}

}  // namespace

std::string OldCommand::value(const std::string& option, const std::string& otherwise) const {
  const auto found = given.find(option);
  return found == given.end() || found->second.empty() ? otherwise : found->second.front();
}

OldCommand understand(const ScriptCommand& command) {
  OldCommand old;
  old.name = command.words.front();
  old.program = program_of(old.name);
  const auto arguments = arguments_of(command);
  for (std::size_t i = 0; i < arguments.size();) {
    const OldOption* option = option_of(old.program, arguments[i]);
    if (option == nullptr) {
      old.unknown.push_back(arguments[i++]);
      continue;
    }
    const std::string name(option->name);
    auto& values = old.given[name];
    ++i;
    values.clear();  // the last one counts, as in argparse
    const std::size_t most = option->flag ? 0 : option->list ? arguments.size() : 1;
    while (values.size() < most && i < arguments.size() && !arguments[i].starts_with("--")) {
      values.push_back(arguments[i++]);
    }
    if (most > 0 && values.empty()) {
      old.without_value.push_back(name);
      old.given.erase(name);
    }
  }
  return old;
}

}  // namespace headroom::migration
