#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// The name of the encoder in settings, saved domains and the feature store.
inline constexpr const char* kName = "chemprop";

/// Models that predict the same tasks. Their predictions are averaged. A row of predictions contains, for
/// each member, the numbers of each task (HeadKind).
struct Ensemble {
  Head head;  ///< head of the first member. All members have the same kinds, tasks and classes
  std::vector<std::string> tasks;
  std::size_t members = 0;
  std::size_t first_column = 0;

  std::size_t width() const { return head.tasks * head.targets(); }
};

/// The bytes of a checkpoint. The hash and the model are computed from them, so each file is read once.
struct CheckpointFile {
  std::filesystem::path path;
  std::vector<std::byte> bytes;
  std::string sha256 = {};  ///< set by the caller of read_files()
};

/// The models of a file or folder.
struct ModelSet {
  std::vector<std::filesystem::path> files;  ///< files in the order of the models
  std::vector<std::string> sha256;           ///< hashes of the files, in the order of checkpoint_files()
  std::vector<Model> models;
  std::vector<Ensemble> ensembles;  ///< ensembles in the order of `models`
  bool is_admet_ai = false;         ///< whether the files are the published models of ADMET-AI
  /// Predictions of ADMET-AI for approved drugs, ascending, by task. Empty if they are not installed.
  std::map<std::string, std::vector<float>> drugs = {};

  /// The number of values in a row of predictions.
  std::size_t width() const;
  /// The number of descriptors that each model takes in addition to a molecule.
  std::size_t descriptors() const { return models.empty() ? 0 : models.front().descriptors.count; }
};

/// Returns the checkpoint itself, or all .pt files of a folder and its subfolders in the order of their
/// paths. Throws InputError if there is no .pt file, or if a folder has more than 1,000.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& path);

/// Reads a checkpoint, or all .pt files of a folder and its subfolders in the order of their paths. Models
/// with equal tasks and heads form an ensemble. Throws InputError if there is no model, if a folder has more
/// than 1,000, if two ensembles predict tasks with the same name, or if the models take different numbers of
/// descriptors. Also throws the errors of read_model().
ModelSet read_models(const std::filesystem::path& path);

/// The two steps of read_models(), for callers that hash the bytes before they are parsed. read_files()
/// throws InputError if a file is larger than 2 GiB. `path`: the name of the models in messages.
std::vector<CheckpointFile> read_files(const std::filesystem::path& path);
ModelSet parse_models(std::vector<CheckpointFile> files, const std::filesystem::path& path);

}  // namespace molgauge::encoders::chemprop
