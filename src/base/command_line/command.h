#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/command_line/table_options.h"
#include "molgauge/engine.h"
#include "molgauge/serve.h"

namespace molgauge::cli {

/// A command: its CLI11 subcommand, and the function that runs after parsing.
struct Verb {
  CLI::App* command = nullptr;
  std::function<void()> run;
  /// Changes the options of the session before it is opened. May be empty.
  std::function<void(SessionOptions& options)> prepare = {};
};
using Verbs = std::vector<Verb>;

/// A command of the program.
struct Command {
  const char* name;     ///< full name, such as "store info" for a subcommand
  const char* summary;  ///< one line in the help
  /// Adds the options of the command, and its action to the verbs.
  std::function<void(CLI::App& command, Verbs& verbs)> add;
  const char* ending = "";    ///< text after the options in the help
  bool has_encoders = false;  ///< whether the list of encoders follows `ending`
};

/// The commands of a request, in the order of the help. The command.cpp of each verb defines them.
template <typename Request>
std::vector<Command> commands();

#define MOLGAUGE_REQUEST(Request) \
  template <>                     \
  std::vector<Command> commands<Request>();
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST

/// For Command::add: the options are the fields of the request, and `action` runs it and prints the report.
template <typename Request>
std::function<void(CLI::App&, Verbs&)> runs(void (*action)(const Request&)) {
  return [action](CLI::App& command, Verbs& verbs) {
    auto request = std::make_shared<Request>();
    add_options(command, *request);
    verbs.push_back({&command, [request, action, &command] {
                       refuse_options_without_effect(command, options::view(*request));
                       action(*request);
                     }});
  };
}

/// Adds the option --json.
std::shared_ptr<bool> add_json(CLI::App& command);

/// Like runs(), for a command that also has the option --json.
template <typename Request>
std::function<void(CLI::App&, Verbs&)> runs_with_json(void (*action)(const Request&, bool json)) {
  return [action](CLI::App& command, Verbs& verbs) {
    auto request = std::make_shared<Request>();
    add_options(command, *request);
    verbs.push_back({&command, [request, action, json = add_json(command)] { action(*request, *json); }});
  };
}

/// Ends the help of a command with `note`, if it is not empty, and with the list of encoders. Loads the
/// engine to get the list. If the engine is not installed, the list is left out.
void end_with_encoders(CLI::App& command, const std::string& note = "");

}  // namespace molgauge::cli
