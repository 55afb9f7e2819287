#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

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

// Each function runs a request and prints its report.
#define MOLGAUGE_REQUEST(Request) void run(const Request& request);
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST
void verify_weights(const WeightsRequest& request);

// Like the functions above, but print the report as JSON if `json` is set.
void run(const DiffMemoryRequest& request, bool json);
void run(const ExplainMemoryRequest& request, bool json);
void run(const ReportMemoryRequest& request, bool json);
void run(const SimulateMemoryRequest& request, bool json);
void run(const PlanMemoryRequest& request, bool json);

// These commands have options that are not in the table of their request. Each function adds all options and
// the action of its command.
void add_demo(CLI::App& command, Verbs& verbs);
void add_doctor(CLI::App& command, Verbs& verbs);
void add_migrate(CLI::App& command, Verbs& verbs);
void add_report(CLI::App& command, Verbs& verbs);
void add_score(CLI::App& command, Verbs& verbs);
void add_serve(CLI::App& command, Verbs& verbs);
void add_watch(CLI::App& command, Verbs& verbs);

/// Ends the help of a command with `note`, if it is not empty, and with the list of encoders. Loads the
/// engine to get the list. If the engine is not installed, the list is left out.
void end_with_encoders(CLI::App& command, const std::string& note = "");

}  // namespace molgauge::cli
