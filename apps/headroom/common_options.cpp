#include <fmt/format.h>

#include "core/error.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {

std::string known_encoders() {
  try {
    std::string text = "Encoders:\n";
    for (const EncoderInfo& encoder : load_engine().encoders()) {
      text += fmt::format("  {:<12}{}; {} numbers\n", encoder.name, encoder.summary, encoder.width);
    }
    return text;
  } catch (const Error&) {
    return "";
  }
}

void add_encoder_option(CLI::App& command, std::string& encoder, const std::string& note) {
  command.add_option("--encoder", encoder, "Encoder; the end of this text lists them")->capture_default_str();
  command.footer([note] { return note + (note.empty() ? "" : "\n\n") + known_encoders(); });
}

void add_features_option(CLI::App& command, std::string& features) {
  command
      .add_option("--features", features,
                  "native (encoded here), or imported:NAME (rows taken in with store import)")
      ->capture_default_str();
}

void add_precision_option(CLI::App& command, std::string& precision) {
  command.add_option("--precision", precision,
                     "Of the encoder's products: fp32, bf16, int8 (CPU alone), or fast: the quickest here "
                     "[what the run was trained on, else fp32]");
}

void add_threads_option(CLI::App& command, std::size_t& threads) {
  command.add_option("--threads", threads, "CPU threads; 0: every processor this process may use")
      ->capture_default_str();
}

void add_strict_option(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "Stop at the first record that is no molecule");
}

CLI::Option* add_spreadsheet_option(CLI::App& command, bool& spreadsheet_safe) {
  return command.add_flag(
      "--spreadsheet-safe", spreadsheet_safe,
      "In CSV, put an apostrophe before a text that a spreadsheet would take for a formula (one that "
      "begins with =, +, -, @, a tab or a return); by default texts are as in the input");
}

void add_data_path_option(CLI::App& command, std::string& data_path) {
  command.add_option("--data-path", data_path,
                     "Folder in which names of data sets are looked up, as lbap_general_ec50_assay");
}

void add_store_option(CLI::App& command, std::string& store) {
  command.add_option("--store", store, "Folder of the feature store [$HEADROOM_HOME/store]");
}

void add_weights_option(CLI::App& command, std::string& weights) {
  command.add_option("--weights", weights, "Folder of the installed weights [$HEADROOM_HOME/weights]");
}

void add_compute_options(CLI::App& command, ComputeOptions& compute) {
  command.add_option("--device", compute.device, "Where to compute: auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  add_threads_option(command, compute.threads);
  add_precision_option(command, compute.precision);
  command.add_option(
      "--memory-budget", compute.memory_budget,
      "Most memory to use, as 20GiB or 80% of what is free: on a CPU of the whole process, on a "
      "GPU of the device [95%]");
  command.add_option("--host-memory-budget", compute.host_memory_budget,
                     "On a GPU: most memory of the process beside it, likewise [95%]");
  command.add_option(
      "--cuda-allocator", compute.cuda_allocator,
      "On a GPU: settings of LibTorch's caching allocator, as expandable_segments:True,max_split_size_mb:128 "
      "[those of PYTORCH_CUDA_ALLOC_CONF, else its own]");
  auto* const trace = command.add_option(
      "--memory-trace", compute.memory_trace,
      "Record every allocation of a tensor in this file, for headroom memory simulate and explain");
  command
      .add_option("--memory-trace-ring", compute.memory_trace_ring,
                  "Keep about so many of the last events of the trace, written at the end; 0: all")
      ->capture_default_str()
      ->needs(trace);
}

void add_molecule_options(CLI::App& command, std::string& molecules, std::string& smiles_column) {
  command
      .add_option("MOLECULES", molecules,
                  ".csv, .tsv, .smi, .sdf or DrugOOD .json, each also gzipped; '-': SMILES lines on stdin")
      ->required();
  command.add_option("--smiles-column", smiles_column, "Column of a .csv or .tsv that holds the SMILES")
      ->capture_default_str();
}

void add_input_options(CLI::App& command, std::string& molecules, std::string& smiles_column, bool& strict) {
  add_molecule_options(command, molecules, smiles_column);
  add_strict_option(command, strict);
}

void add_benchmark_options(CLI::App& command, std::string& benchmark, std::string& data_path) {
  command
      .add_option("BENCHMARK", benchmark,
                  "DrugOOD JSON, as headroom split writes it, or a name in --data-path")
      ->required();
  add_data_path_option(command, data_path);
}

void add_home_options(CLI::App& command, std::string& store, std::string& weights) {
  add_store_option(command, store);
  add_weights_option(command, weights);
}

void add_model_options(CLI::App& command, ModelChoice& model) {
  command.add_option("RUN", model.run, "Run folder; or a run of the Python project: its folder or .pth file")
      ->required();
  command.add_option("--encoder", model.encoder,
                     "For a Python run whose files do not say it: its name [the run's]");
  command.add_option("--features", model.features,
                     "For a Python run: native (encoded here) or imported:NAME (store import) [the run's]");
  add_home_options(command, model.store, model.weights);
}

void add_overlap_option(CLI::App& command, bool& allow_overlap) {
  command.add_flag(
      "--allow-overlap", allow_overlap,
      "Accept molecules that stand where they must not, in any spelling, such as in training and "
      "test; the results count them");
}

void add_draw_options(CLI::App& command, BenchmarkDraw& draw) {
  command
      .add_option("--dataset-type", draw.dataset_type,
                  "Whose rules molecules are drawn by: drugood, good, or auto (what the benchmark says)")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "drugood", "good"}));
  command.add_option("--data-seed", draw.data_seed, "Of the drawing of molecules from the benchmark")
      ->capture_default_str();
  command
      .add_option(
          "--held-out-seed", draw.held_out_seed,
          "drugood: of the molecules held out of train where the benchmark has no iid_val, and of the "
          "cuts to a debug size")
      ->capture_default_str();
  auto* const train_size = command.add_option("--train-size", draw.train_size,
                                              "Training molecules per side; 0: all [2000; good: 5000]");
  auto* const val_size = command.add_option("--val-size", draw.val_size,
                                            "Validation molecules per side; 0: all [600; good: 1500]");
  auto* const test_size =
      command.add_option("--test-size", draw.test_size, "Test molecules per side; 0: all [1000; good: 2000]");
  command
      .add_option("--debug-dataset-size", draw.debug_dataset_size,
                  "For a quick trial: training molecules per side, every part cut to so many and the other "
                  "sizes scaled alike; 0: none")
      ->capture_default_str()
      ->excludes(train_size)
      ->excludes(val_size)
      ->excludes(test_size);
  add_overlap_option(command, draw.allow_overlap);
}

}  // namespace headroom::cli
