#include "base/train/model.h"

#include <utility>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/io/tensors/safetensors.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::train {
namespace {

constexpr const char* kFormat = "molgauge training checkpoint 1";

void require_identity(const std::string& found, const std::string& expected, const char* of_what,
                      const std::string& file) {
  if (found != expected) {
    throw InputError(file + ": this checkpoint was written with other " + of_what + " (" + found + ", now " +
                     expected + "). Use the same " + of_what +
                     ", another run folder, or start from scratch with --restart");
  }
}

io::SafetensorsFile read_whole(const std::filesystem::path& path) {
  require_intact(path, kWithoutCheckpoint);
  try {
    return io::read_safetensors(path);
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + ". The checkpoint is damaged: " + kWithoutCheckpoint);
  }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint,
                      const TrainingIdentity& identity) {
  auto& metadata = checkpoint.metadata;
  metadata["format"] = kFormat;
  metadata["options"] = identity.options;
  metadata["data"] = identity.data;
  metadata["progress"] = json_line(checkpoint.progress);
  io::write_safetensors(path, checkpoint.tensors, metadata);
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const TrainingIdentity& identity) {
  const std::string file = path.string();
  io::SafetensorsFile content = read_whole(path);
  Checkpoint checkpoint{std::move(content.tensors), {}, std::move(content.metadata)};
  if (take_metadata(checkpoint, "format", file) != kFormat) {
    throw InputError(file + ": not a training checkpoint of this version. " + kWithoutCheckpoint);
  }
  require_identity(take_metadata(checkpoint, "options", file), identity.options, "options", file);
  require_identity(take_metadata(checkpoint, "data", file), identity.data, "data", file);
  try {
    checkpoint.progress = parse_json(take_metadata(checkpoint, "progress", file));
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(file + ": the training's progress cannot be read (" + json_problem(problem) + "). " +
                     kWithoutCheckpoint);
  }
  return checkpoint;
}

const std::string& take_metadata(const Checkpoint& checkpoint, const std::string& name,
                                 const std::string& file) {
  const auto found = checkpoint.metadata.find(name);
  if (found == checkpoint.metadata.end()) {
    throw InputError(file + ": not a training checkpoint ('" + name + "' is missing). " + kWithoutCheckpoint);
  }
  return found->second;
}

void restore_generator(at::Generator& generator, const Checkpoint& checkpoint, const std::string& name,
                       const std::string& file) {
  const at::Tensor now = generator.get_state();
  const auto found = checkpoint.tensors.find(name);
  if (found != checkpoint.tensors.end() && at::IntArrayRef(found->second.shape) != now.sizes()) {
    throw InputError(file + ": the state of the dropout's generator is not that of one on the " +
                     (generator.device().is_cpu() ? "CPU" : "GPU") +
                     ": this checkpoint was written on another kind of device. Go on there (--device), or "
                     "start from scratch with --restart");
  }
  const at::Tensor state = torch::take_tensor(checkpoint.tensors, name, now.sizes(), file);
  if (state.scalar_type() != at::kByte) {
    throw InputError(file + ": tensor '" + name + "' does not hold bytes. " + kWithoutCheckpoint);
  }
  try {
    generator.set_state(state);
  } catch (const c10::Error&) {
    throw InputError(file + ": the random generator's state is damaged. " + kWithoutCheckpoint);
  }
}

}  // namespace molgauge::train
