#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "molecules/ood/head/head_weights.h"
#include "molgauge/train.h"

namespace molgauge::ood {

/// A training of the Python project: a checkpoint of torch.save, or a folder with a checkpoint.
struct PythonRun {
  std::filesystem::path model;  ///< file of the model, for example best_model.pth
  /// Options under the names of Molgauge, with defaults for missing options. `encoder` is empty if the
  /// options contain no encoder. `benchmark` is the file or the name of the data set, or empty.
  TrainRequest request;
  std::string data_path;  ///< folder of the data sets if `benchmark` is a name; may be empty
};

/// Reads the Python run at `run`: a .pth or .pt file, or a folder with best_model.pth or another .pth file.
/// The options come from the checkpoint ("args") or from config.json in the same folder. Returns nothing if
/// `run` is not a Python run, for example if it is a folder of `molgauge train`. Throws InputError if a file
/// cannot be read. Also throws InputError if the run has fine-tuned its encoder, because the installed
/// weights differ from the fine-tuned weights.
std::optional<PythonRun> find_python_run(const std::filesystem::path& run);

/// Reads the head from the checkpoint, which may be complete or only the state dict of the head. Throws
/// InputError if the checkpoint also contains other weights, such as a fine-tuned encoder.
HeadWeights load_python_head(const std::filesystem::path& model);

}  // namespace molgauge::ood
