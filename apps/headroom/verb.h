#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "headroom/session.h"

namespace headroom::cli {

/// A verb of the command line: its options (a CLI11 subcommand), and the action that runs after parsing.
struct Verb {
  CLI::App* command = nullptr;
  std::function<void()> run;
  /// Changes the options of the session before it is opened; empty: nothing is changed.
  std::function<void(SessionOptions& options)> prepare = {};
};

/// The verbs, one file each. Each adds its subcommand(s) to `app` and its actions to `verbs`. Reading
/// options and printing help must not need the engine.
using Verbs = std::vector<Verb>;
void add_weights(CLI::App& app, Verbs& verbs);
void add_domain(CLI::App& app, Verbs& verbs);
void add_split(CLI::App& app, Verbs& verbs);
void add_encode(CLI::App& app, Verbs& verbs);
void add_shards(CLI::App& app, Verbs& verbs);
void add_conformers(CLI::App& app, Verbs& verbs);
void add_store(CLI::App& app, Verbs& verbs);
void add_train(CLI::App& app, Verbs& verbs);
void add_evaluate(CLI::App& app, Verbs& verbs);
void add_score(CLI::App& app, Verbs& verbs);
void add_experiment(CLI::App& app, Verbs& verbs);
void add_migrate(CLI::App& app, Verbs& verbs);
void add_baseline(CLI::App& app, Verbs& verbs);
void add_pocket(CLI::App& app, Verbs& verbs);
void add_report(CLI::App& app, Verbs& verbs);
void add_memory(CLI::App& app, Verbs& verbs);
void add_serve(CLI::App& app, Verbs& verbs);
void add_demo(CLI::App& app, Verbs& verbs);
void add_doctor(CLI::App& app, Verbs& verbs);

/// The subcommands of `headroom pocket` that train and use an encoder.
void add_pocket_ligands(CLI::App& pocket, Verbs& verbs);
void add_pocket_models(CLI::App& pocket, Verbs& verbs);

/// The subcommands of `headroom memory` that look at runs and processes, and those that plan.
void add_memory_of_runs(CLI::App& memory, Verbs& verbs);
void add_memory_plan(CLI::App& memory, Verbs& verbs);

/// Ends the help of the command with `note`, if there is one, and with the list of encoders, for which the
/// engine is loaded; the list is left out where the engine is not installed.
void end_with_encoders(CLI::App& command, const std::string& note = "");

}  // namespace headroom::cli
