#include "migration/migrate.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "migration/old_options.h"
#include "migration/shell_words.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// One argument is a script or a command line; several arguments are the words of one command line.
struct Text {
  std::string text;
  bool is_script = false;
};

Text text_of(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("migrate: name a script, or give a command line: headroom migrate python main.py ...");
  }
  if (words.size() == 1) {
    std::error_code too_long;  // a command line may be longer than the name of a file
    const bool is_file = std::filesystem::is_regular_file(words.front(), too_long);
    const std::string text = is_file ? read_file(words.front()) : words.front();
    return {text, is_file && migration::is_script(text)};
  }
  std::string text;
  for (const auto& word : words) {
    text += migration::shell_quoted(word) + " ";
  }
  return {text};
}

[[noreturn]] void refuse(const std::string& name) {
  throw InputError(
      name +
      ": no call of main.py, main_generalization.py, prediction.py, baselines.py or an experiment "
      "script was found");
}

/// The output is a script: remarks are printed as comments.
void print(const std::vector<std::string>& words) {
  const Text text = text_of(words);
  if (text.is_script) {
    const std::string script = migration::migrated_script(text.text);
    if (script.empty()) {
      refuse(words.front());
    }
    print_result("{}", script);
    return;
  }
  const auto calls = migration::migrate(text.text);
  if (calls.empty()) {
    refuse(words.front());
  }
  for (const auto& call : calls) {
    print_result("# line {}: {}\n", call.line, call.program);
    for (const auto& warning : call.warnings) {
      print_result("#   {}\n", warning);
    }
    for (const auto& command : call.commands) {
      print_result("{}\n", command);
    }
  }
}

/// Replaces this process by a shell that executes what takes the place of the call. The commands are shown on
/// stderr, as remarks are.
void execute(const std::vector<std::string>& words) {
  const auto call = migration::migrate_words(words);
  for (const auto& warning : call.warnings) {
    tell("# {}: {}\n", call.program, warning);
  }
  if (call.commands.empty()) {
    throw UsageError(fmt::format("{}: there is no counterpart of this call", call.program));
  }
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string script = fmt::format("set -e\nheadroom() {{ {} \"$@\"; }}\n", migration::shell_quoted(program));
  for (const auto& command : call.commands) {
    tell("{}\n", command);
    script += command + "\n";
  }
  execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
  throw Error(fmt::format("/bin/sh could not be started: {}", std::strerror(errno)));
}

}  // namespace

void add_migrate(CLI::App& app, Verbs& verbs) {
  auto table = std::make_shared<bool>(false), now = std::make_shared<bool>(false);
  auto* const command = app.add_subcommand("migrate",
                                           "Print the commands or the script that replace those of the "
                                           "Python project: headroom migrate SCRIPT, or "
                                           "headroom migrate python main.py --mode train ...");
  command->add_flag("--options", *table, "Print every option of the Python project and what became of it");
  command->add_flag(
      "--run", *now,
      "Execute what takes the place of a call: headroom migrate --run main.py --mode train ...");
  command->prefix_command();
  verbs.push_back({command, [=] {
                     if (*table) {
                       fmt::print("{}", migration::old_options_as_markdown());
                     } else if (*now) {
                       execute(command->remaining());
                     } else {
                       print(command->remaining());
                     }
                   }});
}

}  // namespace headroom::cli
