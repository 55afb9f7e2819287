#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "molgauge/engine.h"

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
void run(const BaselineRequest& request);
void run(const ConformersRequest& request);
void run(const DomainRequest& request);
void run(const EncodeRequest& request);
void run(const EvaluateRequest& request);
void run(const ExperimentRequest& request);
void run(const ExportStoreRequest& request);
void run(const ImportFeaturesRequest& request);
void run(const InitWeightsRequest& request);
void run(const InstallWeightsRequest& request);
void run(const JoinShardsRequest& request);
void run(const PocketBuildRequest& request);
void run(const PocketEmbedRequest& request);
void run(const PocketEvaluateRequest& request);
void run(const PocketLigandsRequest& request);
void run(const PocketSearchRequest& request);
void run(const PocketTrainRequest& request);
void run(const PredictRequest& request);
void run(const PruneStoreRequest& request);
void run(const ReportRequest& request);
void run(const SplitRequest& request);
void run(const StoreRequest& request);
void run(const TrainRequest& request);
void run(const VerifyShardsRequest& request);
void run(const VerifyStoreRequest& request);
void run(const WeightsRequest& request);
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
