#include "verb.h"

namespace headroom::cli {

void add_compute_options(CLI::App& command, ComputeOptions& compute) {
  command.add_option("--device", compute.device, "Where to compute: auto, cpu, cuda or cuda:N")
      ->capture_default_str();
  command.add_option("--threads", compute.threads, "CPU threads; 0: every processor this process may use")
      ->capture_default_str();
  command.add_flag("--quiet", compute.quiet, "Show no progress");
}

void add_input_options(CLI::App& command, std::string& molecules, std::string& smiles_column, bool& strict) {
  command
      .add_option("MOLECULES", molecules,
                  ".csv, .tsv, .smi, .sdf or DrugOOD .json, each also gzipped; '-': SMILES lines on stdin")
      ->required();
  command.add_option("--smiles-column", smiles_column, "Column of a .csv or .tsv that holds the SMILES")
      ->capture_default_str();
  command.add_flag("--strict", strict, "Stop at the first record that is no molecule");
}

void add_home_options(CLI::App& command, std::string& store, std::string& weights) {
  command.add_option("--store", store, "Folder of the feature store [$HEADROOM_HOME/store]");
  command.add_option("--weights", weights, "Folder of the installed weights [$HEADROOM_HOME/weights]");
}

void add_model_options(CLI::App& command, ModelChoice& model) {
  command.add_option("RUN", model.run, "Run folder; or a run of the Python project: its folder or .pth file")
      ->required();
  command.add_option("--encoder", model.encoder,
                     "For a Python run whose files do not say it: minimol or ecfp [the run's]");
  command.add_option("--features", model.features,
                     "For a Python run: native (encoded here) or imported:NAME (store import) [the run's]");
  add_home_options(command, model.store, model.weights);
}

}  // namespace headroom::cli
