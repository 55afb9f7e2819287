#include "molecules/verbs/train/encoder_tuning.h"

#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/safetensors.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/encoders/frozen_layers.h"
#include "molecules/encoders/installed_weights.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoders/tuned_tensors.h"
#include "molecules/encoders/unimol/descriptor.h"
#include "molecules/encoders/unimol/tuned_layers.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/verbs/train/training_needs.h"

namespace molgauge::verbs {
namespace {

namespace unimol = encoders::unimol;
}  // namespace

void require_tunable(const TrainRequest& request, const std::string& precision) {
  if (request.features != "native") {
    throw UsageError(fmt::format("--finetune-encoder has no effect on imported features (--features {})",
                                 request.features));
  }
  if (!precision.empty() && precision != "fp32") {
    throw UsageError(fmt::format(
        "--precision {}: with --finetune-encoder the encoder computes in fp32. Leave it out", precision));
  }
  encoders::parse_layers(request.freeze_layers);
}

TuningParts load_tuning_parts(const TrainRequest& request, const ood::TrainingOptions& options) {
  encoders::InstalledWeights installed =
      encoders::read_installed_weights(encoders::require_encoder(request.encoder), request.weights);
  const unimol::NetworkShape shape = unimol::shape_of(installed.tensors, "the weights of Uni-Mol");
  const unimol::FrozenPart frozen{
      encoders::frozen_layers(encoders::parse_layers(options.freeze_layers), shape.layers)};
  const auto kept = std::make_shared<unimol::FrozenMoleculeCache>(shape, frozen);
  const unimol::UnimolOrigin origin = unimol::origin_of(installed);
  const unimol::UnimolChoice choice = unimol::choice_of(request.placement);
  TuningParts parts;
  parts.trained = std::make_unique<unimol::TunedLayers>(installed.tensors, kept);
  parts.frozen =
      std::make_unique<unimol::FrozenPartEncoder>(std::move(installed.tensors), origin, kept, choice);
  parts.keep_in = [kept](std::unique_ptr<encoders::FrozenActivations> numbers) {
    kept->keep_in(std::move(numbers));
  };
  parts.kept_bytes = [shape, frozen](const memory::ItemSize& size) {
    return unimol::FrozenMoleculeCache::bytes_of(shape, frozen, size.tokens);
  };
  parts.identity_with = [origin, shape, choice](const std::string& fingerprint) {
    unimol::UnimolOrigin tuned = origin;
    tuned.tuned = fingerprint;
    // No tensors are loaded, because the identity of an encoder does not depend on them.
    return session::encoder_identity(unimol::UnimolEncoder({}, tuned, choice, shape));
  };
  return parts;
}

std::vector<memory::ItemSize> estimated_sizes(const session::MoleculeList& list,
                                              const encoders::Encoder& encoder) {
  std::vector<memory::ItemSize> sizes;
  for (const encoders::MoleculeSize& molecule : list.sizes) {
    sizes.push_back(encoder.estimate(molecule));
  }
  if (sizes.empty()) {
    throw InputError("the benchmark contains no molecule that could be trained on");
  }
  return sizes;
}

std::uint64_t bytes_to_keep(const TuningParts& parts, const std::vector<memory::ItemSize>& sizes,
                            std::size_t records) {
  std::uint64_t bytes = 0;
  for (const memory::ItemSize& size : sizes) {
    bytes += parts.kept_bytes(size);
  }
  // For very many molecules, `sizes` contains only the largest molecules. Their mean then stands for every
  // molecule.
  return sizes.size() < records ? bytes / sizes.size() * records : bytes;
}

std::string take_best(encoders::TrainableEncoder& encoder, const TuningParts& parts,
                      const std::filesystem::path& run) {
  const std::filesystem::path file = ood::best_model_file(run);
  const io::TensorMap best = io::read_safetensors(file).tensors;
  ood::restore_tuned(encoder, best, file.string());
  return parts.identity_with(encoders::fingerprint_of_tuned(best));
}

PlannedTuning plan_tuning(const TuningParts& parts, const ood::TrainingOptions& options,
                          const datasets::OodBenchmark& benchmark, const session::MoleculeList& molecules,
                          std::uint64_t encoding_bytes, std::size_t threads, runtime::BudgetScope& memory) {
  ood::TuningSizes sizes{.molecules = estimated_sizes(molecules, *parts.frozen),
                         .train_id = benchmark.train_id.size(),
                         .train_ood = benchmark.train_ood.size(),
                         .validation = benchmark.val_id.size() + benchmark.val_ood.size()};
  sizes.kept_bytes = bytes_to_keep(parts, sizes.molecules, molecules.records);
  PlannedTuning planned{.plan = {}, .kept_bytes = sizes.kept_bytes};
  // The frozen part is freed before the training begins.
  const std::uint64_t frozen_bytes = parts.frozen->parameter_bytes();
  {
    const memory::AvailableMemory room = memory.room();
    sizes.most_kept_bytes = room.host - std::min(room.host, encoding_bytes);
    sizes.is_on_gpu = room.device.has_value();
    const std::uint64_t living = torch::cpu_tensor_memory().allocated_bytes();
    const std::uint64_t on_cpu = room.host + frozen_bytes - std::min(room.host, session::kLeftByEncoding);
    const runtime::PlanningScope planning;
    planned.plan = ood::plan_tuning(options, *parts.trained, sizes, threads,
                                    {.budget_bytes = room.device.value_or(on_cpu), .outside_bytes = living});
  }
  runtime::MemoryRequirement need =
      need_of_training(planned.plan.training.report, sizes.is_on_gpu, planned.plan.host_overhead_bytes);
  need.host_bytes -= std::min(need.host_bytes, frozen_bytes);
  memory.declare_requirement(std::move(need));
  return planned;
}

}  // namespace molgauge::verbs
