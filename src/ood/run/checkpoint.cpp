#include "ood/run/checkpoint.h"

#include <map>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/folder_checksums.h"
#include "core/json_reader.h"
#include "io/tensors/safetensors.h"
#include "torch/tensor_files.h"

namespace headroom::ood {
namespace {

constexpr const char* kFormat = "headroom training checkpoint 1";
constexpr const char* kGenerator = "dropout_generator";
constexpr const char* kWayOut = "remove it to go on from the checkpoint before, or begin anew with --restart";

const std::string& take(const std::map<std::string, std::string>& metadata, const std::string& key,
                        const std::string& file) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) {
    throw InputError(file + ": not a training checkpoint ('" + key + "' is missing); " + kWayOut);
  }
  return found->second;
}

void require_identity(const std::string& found, const std::string& expected, const char* of_what,
                      const std::string& file) {
  if (found != expected) {
    throw InputError(file + ": this checkpoint was written with other " + of_what + " (" + found + ", now " +
                     expected + "); use the same again, another run folder, or begin anew with --restart");
  }
}

io::SafetensorsFile read_whole(const std::filesystem::path& path) {
  require_intact(path, kWayOut);
  try {
    return io::read_safetensors(path);
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + "; the checkpoint is damaged: " + kWayOut);
  }
}

void restore_pairs(TrainingPairs& pairs, const std::string& state, const std::string& file) {
  try {
    pairs.restore(state);
  } catch (const InputError& problem) {
    throw InputError(file + ": " + problem.what() + "; " + kWayOut);
  }
}

void restore_generator(at::Generator& generator, const io::TensorMap& tensors, const std::string& file) {
  const at::Tensor now = generator.get_state();
  const auto found = tensors.find(kGenerator);
  if (found != tensors.end() && at::IntArrayRef(found->second.shape) != now.sizes()) {
    throw InputError(file + ": the state of the dropout's generator is not that of one on the " +
                     (generator.device().is_cpu() ? "CPU" : "GPU") +
                     ": this checkpoint was written on another kind of device; go on there (--device), or "
                     "begin anew with --restart");
  }
  const at::Tensor state = torch::take_tensor(tensors, kGenerator, now.sizes(), file);
  if (state.scalar_type() != at::kByte) {
    throw InputError(file + ": tensor '" + kGenerator + "' does not hold bytes; " + kWayOut);
  }
  try {
    generator.set_state(state);
  } catch (const c10::Error&) {
    throw InputError(file + ": the random generator's state is damaged; " + kWayOut);
  }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                      const TrainingIdentity& identity) {
  io::TensorMap tensors = state.head.weights().to_tensors();
  state.optimizer.save(tensors);
  tensors[kGenerator] = torch::to_file(state.dropout.get_state());
  io::write_safetensors(path, tensors,
                        {{"format", kFormat},
                         {"options", identity.options},
                         {"data", identity.data},
                         {"progress", to_json(state.progress)},
                         {"python_random", state.pairs.state()}});
}

void read_checkpoint(const std::filesystem::path& path, TrainingState& state,
                     const TrainingIdentity& identity) {
  const std::string file = path.string();
  const io::SafetensorsFile content = read_whole(path);
  if (take(content.metadata, "format", file) != kFormat) {
    throw InputError(file + ": not a training checkpoint of this version; " + kWayOut);
  }
  require_identity(take(content.metadata, "options", file), identity.options, "options", file);
  require_identity(take(content.metadata, "data", file), identity.data, "data", file);
  try {
    state.progress = progress_from_json(take(content.metadata, "progress", file));
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(file + ": the training's progress cannot be read (" + json_problem(problem) + "); " +
                     kWayOut);
  }
  restore_pairs(state.pairs, take(content.metadata, "python_random", file), file);
  state.head.copy_from(EnergyHead(HeadWeights::from_tensors(content.tensors, file)));
  state.optimizer.restore(content.tensors, static_cast<std::int64_t>(state.progress.optimizer_steps), file);
  restore_generator(state.dropout, content.tensors, file);
}

}  // namespace headroom::ood
