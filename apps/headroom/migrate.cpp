#include "migration/migrate.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "migration/old_options.h"
#include "migration/shell_words.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// One argument is a script or a command line; several arguments are the words of one command line.
std::string text_of(const std::vector<std::string>& words) {
  if (words.empty()) {
    throw UsageError("migrate: name a script, or give a command line: headroom migrate python main.py ...");
  }
  if (words.size() == 1) {
    return std::filesystem::is_regular_file(words.front()) ? read_file(words.front()) : words.front();
  }
  std::string text;
  for (const auto& word : words) {
    text += migration::shell_quoted(word) + " ";
  }
  return text;
}

/// The output is a script: remarks are printed as comments.
void print(const std::vector<std::string>& words) {
  const auto calls = migration::migrate(text_of(words));
  if (calls.empty()) {
    throw InputError(words.front() +
                     ": no call of main.py, main_generalization.py, prediction.py or baselines.py "
                     "was found");
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

}  // namespace

void add_migrate(CLI::App& app, Verbs& verbs) {
  auto table = std::make_shared<bool>(false);
  auto* const command = app.add_subcommand(
      "migrate",
      "Print the commands that replace those of the Python project: headroom migrate SCRIPT, or "
      "headroom migrate python main.py --mode train ...");
  command->add_flag("--options", *table, "Print every option of the Python project and what became of it");
  command->prefix_command();
  verbs.push_back({command, [=] {
                     if (*table) {
                       fmt::print("{}", migration::old_options_as_markdown());
                     } else {
                       print(command->remaining());
                     }
                   }});
}

}  // namespace headroom::cli
