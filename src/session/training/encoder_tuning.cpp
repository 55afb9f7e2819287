#include "session/training/encoder_tuning.h"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "encoders/frozen_layers.h"
#include "encoders/installed_weights.h"
#include "encoders/registry.h"
#include "encoders/tuned_tensors.h"
#include "encoders/unimol/descriptor.h"
#include "encoders/unimol/tuned_layers.h"
#include "io/tensors/safetensors.h"
#include "ood/run/run_results.h"
#include "pipeline/row_table.h"
#include "session/encoding/encoding_phase.h"
#include "session/encoding/encoding_plan.h"
#include "session/later_needs.h"
#include "session/scoring/trained_run.h"
#include "session/training/encoded_sides.h"
#include "session/training/training_needs.h"
#include "torch/cpu_tensor_memory.h"

namespace headroom::session {
namespace {

namespace unimol = encoders::unimol;
using datasets::Side;

/// The numbers of kept molecules by the keys of their texts, in place of rows of features.
class KeptRows final : public pipeline::RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override {
    const std::scoped_lock lock(mutex_);
    std::vector<bool> found;
    for (const Hash128& key : keys) {
      found.push_back(rows_.contains(key));
    }
    return found;
  }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    const std::scoped_lock lock(mutex_);
    std::vector<bool> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows_.find(keys[i]);
      found.push_back(row != rows_.end());
      if (row != rows_.end()) {
        rows[i] = row->second;
      }
    }
    return found;
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      rows_[keys[i]] = rows[i];
    }
  }

 private:
  std::mutex mutex_;
  std::map<Hash128, float> rows_;
};

EncodingSettings settings_of(const TrainRequest& request) {
  EncodingSettings settings;
  settings.encoder = request.encoder;
  settings.store = request.store;
  settings.weights = request.weights;
  settings.strict = request.strict;
  settings.for_a_head = true;
  settings.compute = request.compute;
  return settings;
}

/// Estimated sizes of the molecules of a list: of all, or of the largest of very many.
std::vector<memory::ItemSize> sizes_of(const MoleculeList& list, const encoders::Encoder& encoder) {
  std::vector<memory::ItemSize> sizes;
  for (const encoders::MoleculeSize& molecule : list.sizes) {
    sizes.push_back(encoder.estimate(molecule));
  }
  if (sizes.empty()) {
    throw InputError("the benchmark holds no molecule that could be trained on");
  }
  return sizes;
}

std::vector<std::int64_t> numbers_of(const PartEncoder::Encoded& part, pipeline::RowTable& rows) {
  std::vector<float> numbers(part.keys.size());
  rows.read(part.keys, numbers);
  return {numbers.begin(), numbers.end()};
}

}  // namespace

void require_tunable(const TrainRequest& request, const std::string& precision, Device device) {
  if (request.features != "native") {
    throw UsageError(fmt::format(
        "--finetune-encoder has no effect on features that were taken in from elsewhere (--features {})",
        request.features));
  }
  if (!precision.empty() && precision != "fp32") {
    throw UsageError(fmt::format(
        "--precision {}: with --finetune-encoder the encoder computes in fp32; leave it out", precision));
  }
  if (device.is_gpu()) {
    throw UsageError("--device: --finetune-encoder runs on the CPU alone; add --device cpu");
  }
  encoders::parse_layers(request.freeze_layers);
}

TuningParts load_tuning_parts(const TrainRequest& request, const ood::TrainingOptions& options) {
  encoders::InstalledWeights installed =
      encoders::read_installed_weights(encoders::require_encoder(request.encoder), request.weights);
  const unimol::NetworkShape shape = unimol::shape_of(installed.tensors, "the weights of Uni-Mol");
  const unimol::FrozenPart frozen{
      encoders::frozen_layers(encoders::parse_layers(options.freeze_layers), shape.layers)};
  const auto kept = std::make_shared<unimol::KeptMolecules>(shape, frozen);
  const unimol::UnimolOrigin origin = unimol::origin_of(installed);
  TuningParts parts;
  parts.trained = std::make_unique<unimol::TunedLayers>(installed.tensors, kept);
  parts.frozen = std::make_unique<unimol::FrozenPartEncoder>(std::move(installed.tensors), origin, kept);
  parts.keep_in = [kept](std::unique_ptr<encoders::KeptNumbers> numbers) {
    kept->keep_in(std::move(numbers));
  };
  parts.kept_bytes = [shape, frozen](const memory::ItemSize& size) {
    return unimol::KeptMolecules::bytes_of(shape, frozen, size.tokens);
  };
  parts.identity_with = [origin, shape](const std::string& fingerprint) {
    unimol::UnimolOrigin tuned = origin;
    tuned.tuned = fingerprint;
    // Without tensors: an encoder's identity needs none.
    return encoder_identity(unimol::UnimolEncoder({}, tuned, {}, shape));
  };
  return parts;
}

PlannedTuning plan_tuning(const TuningParts& parts, const ood::TrainingOptions& options,
                          const datasets::OodBenchmark& benchmark, const MoleculeList& molecules,
                          std::uint64_t encoding_bytes, std::size_t threads, MemorySession& memory) {
  ood::TuningSizes sizes{.molecules = sizes_of(molecules, *parts.frozen),
                         .train_id = benchmark.train_id.size(),
                         .train_ood = benchmark.train_ood.size(),
                         .validation = benchmark.val_id.size() + benchmark.val_ood.size()};
  for (const memory::ItemSize& size : sizes.molecules) {
    sizes.kept_bytes += parts.kept_bytes(size);
  }
  if (sizes.molecules.size() < molecules.records) {  // the sizes are those of the largest
    sizes.kept_bytes = sizes.kept_bytes / sizes.molecules.size() * molecules.records;
  }
  PlannedTuning planned{.plan = {}, .kept_bytes = sizes.kept_bytes};
  // The frozen part has gone when the training begins.
  const std::uint64_t frozen_bytes = parts.frozen->parameter_bytes();
  {
    const std::uint64_t room = memory.room().host;
    sizes.most_kept_bytes = room - std::min(room, encoding_bytes);
    const std::uint64_t living = torch::cpu_tensor_memory().allocated_bytes();
    const PlanningScope planning;
    planned.plan = ood::plan_tuning(
        options, *parts.trained, sizes, threads,
        {.budget_bytes = room + frozen_bytes - std::min(room, kLeftByEncoding), .outside_bytes = living});
  }
  MemoryNeed need =
      need_of_training(planned.plan.training.report, /*on_device=*/false, /*host_feature_bytes=*/0);
  need.host_bytes -= std::min(need.host_bytes, frozen_bytes);
  memory.foresee(std::move(need));
  return planned;
}

EncoderTuningSession::EncoderTuningSession(const TrainRequest& request, const ood::TrainingOptions& options,
                                           const datasets::OodBenchmark& benchmark, MemorySession& memory,
                                           pipeline::FailureLog& failed)
    : parts_((require_meant_weights(settings_of(request)), load_tuning_parts(request, options))) {
  std::string identity = encoder_identity(*parts_.frozen);
  const MoleculeList list =
      list_sides({&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood});
  std::uint64_t encoding_bytes = 0;
  {
    const PlanningScope planning;
    EncodingModel model(*parts_.frozen, EncodingModel::Device::cpu);
    encoding_bytes = EncodingPlanner(model, list)
                         .smallest_need(forced_batch_tokens(request.compute, /*requested=*/0),
                                        list.records * sizeof(Hash128))
                         .host_bytes;
  }
  PlannedTuning planned =
      plan_tuning(parts_, options, benchmark, list, encoding_bytes, threads_of(request.compute), memory);
  plan_ = std::move(planned.plan);
  if (plan_.keeps_on_disk) {
    parts_.keep_in(std::make_unique<encoders::KeptNumbers>(request.run));
    log_info("the output of the frozen layers, some {}, is kept in a file of the run folder",
             format_bytes(planned.kept_bytes));
  } else {
    parts_.keep_in(std::make_unique<encoders::KeptNumbers>());
    kept_bytes_ = planned.kept_bytes;
  }
  auto rows = std::make_unique<KeptRows>();
  KeptRows& numbers = *rows;
  EncodingSession session(settings_of(request), memory, std::move(parts_.frozen), std::move(rows));
  session.set_aside(kept_bytes_);
  SideEncoder sides(session, request.splits_cache.empty() ? request.benchmark : request.splits_cache);
  for (const Side side : {Side::train_id, Side::train_ood, Side::val_id, Side::val_ood}) {
    sides.add(side, benchmark.of(side));
  }
  const auto encoded = sides.encode_keys(failed);
  molecules_ = {numbers_of(encoded[Side::train_id], numbers), numbers_of(encoded[Side::train_ood], numbers),
                numbers_of(encoded[Side::val_id], numbers), numbers_of(encoded[Side::val_ood], numbers)};
  for (const Side side : {Side::train_id, Side::train_ood, Side::val_id, Side::val_ood}) {
    identity += ';';
    for (const Hash128& key : encoded[side].keys) {
      identity.append(key.begin(), key.end());
    }
  }
  encoding_plan_ = session.plan();
  oom_recoveries_ = session.oom_recoveries();
  data_identity_ = fmt::format("{:016x}", checksum64(std::as_bytes(std::span(identity))));
}

std::string EncoderTuningSession::take_best(const std::filesystem::path& run) {
  const std::filesystem::path file = ood::best_model_file(run);
  const io::TensorMap best = io::read_safetensors(file).tensors;
  ood::restore_tuned(*parts_.trained, best, file.string());
  return parts_.identity_with(encoders::fingerprint_of_tuned(best));
}

}  // namespace headroom::session
