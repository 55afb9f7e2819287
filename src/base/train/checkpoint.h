#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "base/io/tensors/tensor_data.h"

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

}  // namespace molgauge::train
