#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "headroom/train.h"
#include "models/ood/head/head_weights.h"

namespace headroom::ood {

/// A training of the Python project, as far as its files describe it: a checkpoint of torch.save, or a folder
/// with one.
struct PythonRun {
  std::filesystem::path model;  ///< best_model.pth and the like
  /// Options under Headroom's names, with defaults where the files lack them. `encoder` is empty if the
  /// options name none. `benchmark` is the file or the name of the data set, or empty.
  TrainRequest request;
  std::string data_path;  ///< the folder that a name of a data set is looked up in; may be empty
};

/// The Python run at `run`: a .pth or .pt file, or a folder with best_model.pth (else its newest .pth). The
/// options come from the checkpoint ("args") and, if missing there, from config.json in the same folder. None
/// when `run` is of another kind, such as a folder of `headroom train`. Throws InputError when a file cannot
/// be read, and for a run whose encoder was trained, too: its weights are not those installed here.
std::optional<PythonRun> find_python_run(const std::filesystem::path& run);

/// The head of its checkpoint: a whole one, or a bare state dict of the head. Throws InputError, also if the
/// checkpoint contains other weights than the head (a fine-tuned encoder).
HeadWeights load_python_head(const std::filesystem::path& model);

}  // namespace headroom::ood
