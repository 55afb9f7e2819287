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
  /// Options under Headroom's names, with defaults where the files lack them. `encoder` is empty where they
  /// name none; `benchmark` is the file or the name of the data set, or empty.
  TrainRequest request;
  std::string data_path;  ///< the folder that a name of a data set is looked up in; may be empty
};

/// The Python run at `run`: a .pth or .pt file, or a folder with best_model.pth (else its newest .pth). The
/// options are those in the checkpoint ("args"), completed from config.json beside it. None when `run` is of
/// another kind, such as a folder of `headroom train`. Throws InputError when a file cannot be read, and for
/// a run whose encoder was trained, too: its weights are not those installed here.
std::optional<PythonRun> find_python_run(const std::filesystem::path& run);

/// The head of its checkpoint: a whole one, or a bare state dict of the head. Throws InputError, also when
/// the checkpoint has weights besides the head's (those of an encoder that was trained too).
HeadWeights load_python_head(const std::filesystem::path& model);

}  // namespace headroom::ood
