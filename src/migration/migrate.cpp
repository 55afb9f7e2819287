#include "migration/migrate.h"

#include <utility>

#include "migration/new_command.h"

namespace headroom::migration {

std::vector<MigratedCall> migrate(std::string_view script_or_command) {
  std::vector<MigratedCall> calls;
  for (const ScriptCommand& command : find_script_commands(script_or_command)) {
    NewCommands replacement = translate(understand(command));
    calls.push_back(
        {command.line, command.words.front(), std::move(replacement.lines), std::move(replacement.warnings)});
  }
  return calls;
}

}  // namespace headroom::migration
