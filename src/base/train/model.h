#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "base/io/tensors/tensor_data.h"
#include "base/train/early_stopping.h"
#include "base/train/loss_scale.h"
#include "base/train/optimizer.h"
#include "base/train/parameters.h"
#include "base/train/step.h"

namespace molgauge::train {

/// Identifies the training of a checkpoint, which can only be continued with the same options and data.
struct TrainingIdentity {
  std::string options, data;
};

/// The content of a checkpoint.
struct Checkpoint {
  io::TensorMap tensors;
  nlohmann::json progress = nlohmann::json::object();  ///< counters, sums, the curve
  std::map<std::string, std::string> metadata;         ///< state in text form, by name
};

/// Writes a safetensors file atomically. The metadata of the file contain progress, metadata and identity.
/// Equal checkpoints give equal bytes.
void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint,
                      const TrainingIdentity& identity);

/// Reads a checkpoint. Throws InputError with the file and a remedy if the file is damaged, is not a
/// checkpoint, or belongs to another training.
Checkpoint read_checkpoint(const std::filesystem::path& path, const TrainingIdentity& identity);

/// Returns the metadata text `name` of a checkpoint. Throws InputError with `file` if the text is missing.
const std::string& take_metadata(const Checkpoint& checkpoint, const std::string& name,
                                 const std::string& file);

/// Restores the state of a generator. Throws InputError naming `file` if the state is missing, damaged, or
/// from another kind of device.
void restore_generator(at::Generator& generator, const Checkpoint& checkpoint, const std::string& name,
                       const std::string& file);

/// The last sentence of an error message about an unusable checkpoint. It says how to continue.
inline constexpr const char* kWithoutCheckpoint =
    "Remove it to continue from the previous checkpoint, or start from scratch with --restart";

/// The state of a training without its model.
struct TrainingState {
  std::size_t epoch = 0;            ///< the current epoch, 0-based
  std::size_t batches = 0;          ///< finished batches of that epoch
  std::size_t optimizer_steps = 0;  ///< steps of all epochs
  EarlyStopping::State stopping;    ///< holds the best score
  std::size_t best_epoch = 0;       ///< 0-based
  LossScale loss_scale;             ///< scale of the loss, for float16 only

  Clock clock() const { return {epoch, optimizer_steps}; }
};

/// The interface of a model that the trainer (trainer.h) trains. The training thread makes all calls.
///
/// In each epoch, the trainer calls begin_epoch(), then draw() and after_batch() for every batch, then
/// validate() and end_epoch(). Then it writes the files that are due, and calls after_epoch().
class Model {
 public:
  virtual ~Model() = default;

  virtual const Parameters& parameters() const = 0;
  virtual Optimizer& optimizer() = 0;

  virtual std::size_t batches() const = 0;  ///< the number of batches of an epoch
  /// Returns the number of rows in the batch with this 0-based index. After an out-of-memory error, the rows
  /// are processed in parts.
  virtual std::int64_t rows(std::size_t batch) const = 0;
  /// Draws the batch with this 0-based index in the current epoch. Repeated calls between two steps return
  /// equal batches.
  virtual std::unique_ptr<Batch> draw(std::size_t batch) = 0;

  /// Returns the score of the current parameters. Larger is better. Called after each epoch and, if
  /// requested, also within an epoch. Called again if memory runs out.
  virtual double validate() = 0;
  /// Copies the parameters, because they have the best score so far. If this throws, the earlier copy is
  /// unchanged.
  virtual void keep_best() = 0;

  /// Called before the first batch when training starts or resumes.
  virtual void begin(const TrainingState& /*state*/) {}
  virtual void begin_epoch(const TrainingState& /*state*/) {}
  /// Called after the batch is counted in `state`. `gradient_norm`: from Step::run().
  virtual void after_batch(const TrainingState& /*state*/, double /*gradient_norm*/) {}
  /// Called when an epoch ends. `state` still has the number of this epoch, and its score has already been
  /// reported to EarlyStopping.
  virtual void end_epoch(const TrainingState& /*state*/) {}
  /// Called after the epoch was counted and its files are on disk. `seconds`: total training time, from
  /// Trainer::seconds().
  virtual void after_epoch(const TrainingState& /*state*/, double /*seconds*/) {}

  // The methods below are for a training in a run folder.

  /// Prefix of the names of parameters in checkpoints.
  virtual std::string tensor_prefix() const { return ""; }
  /// Saves the rest of the state, for example random generators and sums. Parameters, optimizer and
  /// TrainingState are saved by the trainer.
  virtual void save(Checkpoint& /*checkpoint*/) const {}
  /// Restores the state that save() stored. Throws InputError with `file` if the state is unsuitable. Also
  /// throws the exceptions of nlohmann::json if the progress cannot be read.
  virtual void restore(const Checkpoint& /*checkpoint*/, const std::string& /*file*/) {}

  /// Writes the copy of keep_best() if it is not on disk yet. Called before each checkpoint is written.
  virtual void write_best() {}
  /// Writes the training curve to the run folder, so that users can read it during the training.
  virtual void write_curve() {}
  /// Throws InputError if the best model that `checkpoint` refers to is missing or damaged.
  virtual void require_best(const std::filesystem::path& /*checkpoint*/) const {}
  /// Removes the files that describe an earlier training. Called as the first step of a new training, so that
  /// readers do not associate files with the wrong training.
  virtual void remove_description() {}
  /// Removes the other files of an earlier training except checkpoints.
  virtual void remove_files() {}
  /// Called when an epoch has ended, because earlier results of the model are then out of date.
  virtual void forget_results() {}
};

}  // namespace molgauge::train
