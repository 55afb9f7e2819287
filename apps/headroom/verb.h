#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "headroom/baseline.h"
#include "headroom/benchmark_draw.h"
#include "headroom/evaluate.h"
#include "headroom/train.h"

namespace headroom::cli {

/// A verb of the command line: its options (as a CLI11 subcommand), and what it does once they are read.
struct Verb {
  CLI::App* command = nullptr;
  std::function<void()> run;
};

/// The verbs, one file each. Each adds its subcommand(s) to `app` and what they do to `verbs`. Reading
/// options and printing help must not need the engine.
using Verbs = std::vector<Verb>;
void add_weights(CLI::App& app, Verbs& verbs);
void add_domain(CLI::App& app, Verbs& verbs);
void add_split(CLI::App& app, Verbs& verbs);
void add_encode(CLI::App& app, Verbs& verbs);
void add_conformers(CLI::App& app, Verbs& verbs);
void add_store(CLI::App& app, Verbs& verbs);
void add_train(CLI::App& app, Verbs& verbs);
void add_evaluate(CLI::App& app, Verbs& verbs);
void add_score(CLI::App& app, Verbs& verbs);
void add_experiment(CLI::App& app, Verbs& verbs);
void add_migrate(CLI::App& app, Verbs& verbs);
void add_baseline(CLI::App& app, Verbs& verbs);
void add_report(CLI::App& app, Verbs& verbs);
void add_memory(CLI::App& app, Verbs& verbs);
void add_demo(CLI::App& app, Verbs& verbs);
void add_doctor(CLI::App& app, Verbs& verbs);

/// Of `headroom memory`: those that look at runs and processes, and those that plan.
void add_memory_of_runs(CLI::App& memory, Verbs& verbs);
void add_memory_plan(CLI::App& memory, Verbs& verbs);

/// Options that mean the same in every verb that takes them.
/// The list of encoders for the end of a help text. It loads the engine; empty where that is not installed.
std::string known_encoders();
/// The command's help ends with `note`, if there is one, and the list of encoders.
void add_encoder_option(CLI::App& command, std::string& encoder, const std::string& note = "");
void add_features_option(CLI::App& command, std::string& features);
void add_precision_option(CLI::App& command, std::string& precision);
void add_threads_option(CLI::App& command, std::size_t& threads);
void add_strict_option(CLI::App& command, bool& strict);
CLI::Option* add_spreadsheet_option(CLI::App& command, bool& spreadsheet_safe);
void add_data_path_option(CLI::App& command, std::string& data_path);
void add_store_option(CLI::App& command, std::string& store);
void add_weights_option(CLI::App& command, std::string& weights);
void add_compute_options(CLI::App& command, ComputeOptions& compute);
void add_molecule_options(CLI::App& command, std::string& molecules, std::string& smiles_column);
/// The same, and --strict.
void add_input_options(CLI::App& command, std::string& molecules, std::string& smiles_column, bool& strict);
void add_benchmark_options(CLI::App& command, std::string& benchmark, std::string& data_path);
void add_overlap_option(CLI::App& command, bool& allow_overlap);
void add_draw_options(CLI::App& command, BenchmarkDraw& draw);
void add_home_options(CLI::App& command, std::string& store, std::string& weights);
void add_model_options(CLI::App& command, ModelChoice& model);
/// Those that the memory of a training depends on.
void add_training_step_options(CLI::App& command, TrainRequest& request);
/// A background library in place of a benchmark (--ood), and what belongs to it.
void add_background_options(CLI::App& command, TrainRequest& request);
/// Throws UsageError where an option is given that has no effect with --ood, or without it.
void refuse_options_without_background(const CLI::App& command);
void add_classifier_step_options(CLI::App& command, BaselineRequest& request);

}  // namespace headroom::cli
