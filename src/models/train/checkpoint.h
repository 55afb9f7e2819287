#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "data/io/tensors/tensor_data.h"

namespace headroom::train {

/// The training of a checkpoint: it is only continued with the same options on the same data.
struct TrainingIdentity {
  std::string options, data;
};

/// The content of a checkpoint.
struct Checkpoint {
  io::TensorMap tensors;
  nlohmann::json progress = nlohmann::json::object();  ///< counters, sums, the curve
  std::map<std::string, std::string> metadata;         ///< states that are texts, by name
};

/// Writes a safetensors file atomically. It contains the tensors. Its metadata holds progress, metadata and
/// identity. Equal checkpoints give equal bytes.
void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint,
                      const TrainingIdentity& identity);

/// Throws InputError with the file and a remedy if it is damaged, not a checkpoint, or from another training.
Checkpoint read_checkpoint(const std::filesystem::path& path, const TrainingIdentity& identity);

/// A text of the metadata. Throws InputError naming `file` when it is missing.
const std::string& take_metadata(const Checkpoint& checkpoint, const std::string& name,
                                 const std::string& file);

/// Restores the state of a generator. Throws InputError naming `file` when the state is missing or damaged,
/// or of another kind of device.
void restore_generator(at::Generator& generator, const Checkpoint& checkpoint, const std::string& name,
                       const std::string& file);

/// The end of a message: how to continue without an unusable checkpoint.
inline constexpr const char* kWithoutCheckpoint =
    "remove it to continue from the previous checkpoint, or start from scratch with --restart";

}  // namespace headroom::train
