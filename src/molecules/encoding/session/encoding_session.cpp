#include "molecules/encoding/session/encoding_session.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/core/text/printable.h"
#include "base/core/text/utf8.h"
#include "base/numerics/ops/precision.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/folders.h"
#include "base/runtime/torch_backend.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/placement.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "molecules/encoding/pipeline/write_behind_table.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/imported_features.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/store/weights/weight_store.h"

namespace molgauge::session {
namespace {

constexpr std::size_t kShownFailures = 3, kShownText = 80;

/// Returns the settings of the encoder. Device "auto" and an empty weights path are not explicit requests, so
/// encoders without these options, such as ecfp, accept them.
encoders::EncoderSettings encoder_settings(const EncodingSettings& settings) {
  encoders::EncoderSettings chosen;
  chosen.device =
      settings.for_a_head && !encoders::runs_on_gpu(settings.encoder) ? "cpu" : settings.compute.device;
  chosen.weights = settings.weights;
  chosen.tuned = settings.tuned;
  if (!settings.compute.precision.empty()) {
    chosen.precision = resolve_precision(settings.compute, settings.encoder);
  }
  chosen.placement = settings.placement;
  chosen.fine = settings.fine;
  return chosen;
}

ConformerOptions conformer_options(const EncodingSettings& settings, const encoders::Encoder& encoder) {
  ConformerOptions options;
  options.fallback = encoder.takes_drawings() ? ConformerFallback::drawing : ConformerFallback::fail;
  options.engine = encoder.conformer_engine();
  options.deadline_seconds = settings.placement.conformer_deadline.value_or(options.deadline_seconds);
  return options;
}

void require_native_options(const EncodingSettings& settings) {
  if (settings.compute.random_weights) {
    throw UsageError("--random-weights has no effect on imported features. Leave it out");
  }
  if (!settings.weights.empty()) {
    throw UsageError("--weights has no effect on imported features. Leave it out");
  }
  if (!settings.compute.precision.empty()) {
    throw UsageError("--precision has no effect on imported features. Leave it out");
  }
  if (const char* const given = encoders::given_option(settings.placement)) {
    throw UsageError(fmt::format("{} has no effect on imported features. Leave it out", given));
  }
}

std::unique_ptr<encoders::Encoder> make_session_encoder(const EncodingSettings& settings) {
  const FeatureOrigin origin = parse_feature_origin(settings.features);
  if (origin.imported()) {
    require_native_options(settings);
    // The store is opened for reading, because a missing store must not be created.
    const auto features =
        store::FeatureStore::open(runtime::store_folder(settings.store), store::Access::read);
    return make_imported_encoder(features, settings.encoder, origin.imported_name);
  }
  if (settings.encoder == kChemprop) {
    require_chemprop_options(settings.tuned, settings.compute);
    const auto models =
        settings.models != nullptr ? settings.models : read_chemprop(settings.tuned.string(), "").set;
    return make_chemprop_encoder(*models, encoders::chemprop::RowContent::fingerprints);
  }
  require_expected_weights(settings);
  const encoders::EncoderSettings chosen = encoder_settings(settings);
  const Device device =
      encoders::runs_on_gpu(settings.encoder) ? runtime::parse_device(chosen.device) : Device{};
  return device.is_gpu() ? runtime::torch_part<MoleculeTorch>().make_encoder(settings.encoder, chosen, device)
                         : encoders::make_encoder(settings.encoder, chosen);
}

/// Makes the encoder on the CPU, to plan its memory on a GPU.
std::unique_ptr<encoders::Encoder> make_encoder_for_plans(const EncodingSettings& settings) {
  return runtime::torch_part<MoleculeTorch>().make_encoder(settings.encoder, encoder_settings(settings),
                                                           Device{});
}

std::unique_ptr<const pipeline::AtomPairTables> open_fine(const encoders::Encoder& encoder,
                                                          const EncodingSettings& settings) {
  if (!encoder.fine().any()) {
    return nullptr;
  }
  const memory::ItemSize largest = encoder.estimate({.atoms = chem::kMaxAtoms});
  const std::uint64_t pairs =
      encoder.fine().pairs ? largest.pairs * encoder.pair_width() * sizeof(float) : std::uint64_t{0};
  if (pairs > store::kLargestBlob) {
    throw UsageError(
        fmt::format("--pair-features: the pairs of {} tokens need {}, but the maximum in the store is {} per "
                    "molecule. Choose a smaller --max-atoms",
                    largest.tokens, format_bytes(pairs), format_bytes(store::kLargestBlob)));
  }
  const auto store = store::BlobStore::open(runtime::store_folder(settings.store), store::Access::write);
  return std::make_unique<const pipeline::AtomPairTables>(store, encoder);
}

/// `fine`: null unless atom features or pair features are requested.
std::unique_ptr<pipeline::RowTable> open_rows(const encoders::Encoder& encoder,
                                              const EncodingSettings& settings,
                                              const pipeline::AtomPairTables* fine) {
  const auto store = store::FeatureStore::open(runtime::store_folder(settings.store), store::Access::write);
  std::unique_ptr<pipeline::RowTable> rows = std::make_unique<pipeline::StoredRows>(
      store.table(pipeline::feature_space(encoder)), runtime::threads_of(settings.compute));
  if (settings.writes_later) {
    rows = std::make_unique<pipeline::WriteBehindTable>(std::move(rows));
  }
  return fine == nullptr ? std::move(rows)
                         : std::make_unique<pipeline::RowsWithAtomPairs>(std::move(rows), *fine);
}

/// Logs how many conformers were generated, and how many have lower quality. Lower quality is not a failure.
void report_places(const ConformerCounts& counts) {
  if (counts.made + counts.from_store > 0) {
    log_info("{} generated, {} found in the store", counted(counts.made, "conformer"), counts.from_store);
  }
  if (counts.flat > 0) {
    log_warning("3D embedding failed for {}. 2D coordinates are used", counted(counts.flat, "molecule"));
  }
  if (counts.not_converged + counts.unrefined > 0) {
    log_info("the force field did not converge in 200 steps for {}, and had no parameters for {}",
             counted(counts.not_converged, "molecule"), counts.unrefined);
  }
}

/// Throws if all records failed, because the input is then probably of another kind. If only some records
/// failed, they are reported and left out.
void require_a_molecule(const pipeline::EncodeOutcome& outcome) {
  if (outcome.rows > outcome.failed.size()) {
    return;
  }
  if (outcome.rows == 0) {
    throw InputError("the input contains no molecules. Add a row for each molecule");
  }
  std::string text = fmt::format("none of {} is a valid molecule:", counted(outcome.rows, "record"));
  for (const FailedMolecule& failed : outcome.failed.first(kShownFailures)) {
    text += fmt::format("\n  {}:{}: '{}': {}", printable(failed.file), failed.line,
                        printable(utf8_beginning(failed.text, kShownText)), printable(failed.reason));
  }
  throw InputError(text);
}

}  // namespace

void require_expected_weights(const EncodingSettings& settings) {
  const std::filesystem::path folder = runtime::weights_folder(settings.weights);
  const auto manifest = store::require_intact_weights(folder, settings.encoder);
  const bool are_random = manifest && manifest->random_seed;
  if (are_random && !settings.compute.random_weights) {
    throw UsageError(
        fmt::format("{}: the weights of {} are {}, so its results would have no meaning. Install the "
                    "published weights, or add --random-weights for a test or benchmark",
                    (folder / settings.encoder).string(), settings.encoder, manifest->source));
  }
  const encoders::EncoderDescriptor& encoder = encoders::require_encoder(settings.encoder);
  if (settings.compute.random_weights && !are_random && (manifest || !encoder.weights)) {
    throw UsageError(
        fmt::format("--random-weights: the weights of {} are not random. Leave it out", settings.encoder));
  }
  if (are_random) {
    log_warning("the weights of {} are {}: its results have no meaning", settings.encoder, manifest->source);
  }
}

std::string resolve_precision(const ComputeOptions& compute, const std::string& encoder) {
  const encoders::EncoderDescriptor* const descriptor = encoders::find_encoder(encoder);
  if (compute.precision != "fast" || descriptor == nullptr || descriptor->precisions.empty()) {
    return compute.precision;
  }
  const Device device = runtime::parse_device(compute.device);
  const std::string quickest =
      ops::to_string(device.is_gpu() ? runtime::torch_backend().fastest_precision(device)
                                     : ops::fastest_precision(descriptor->layer_width));
  log_info("--precision fast: {} is the fastest on this {}", quickest, device.is_cpu() ? "CPU" : "GPU");
  return quickest;
}

EncodingSession::EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory)
    : settings_(std::move(settings)),
      memory_(memory),
      encoder_(make_session_encoder(settings_)),
      fine_(open_fine(*encoder_, settings_)),
      table_(open_rows(*encoder_, settings_, fine_.get())),
      one_operator_thread_(encoder_->is_on_gpu() ? runtime::torch_backend().one_operator_thread() : nullptr) {
  settings_.batch_atoms = forced_batch_tokens(settings_.compute, settings_.batch_atoms);
}

EncodingSession::EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory,
                                 std::unique_ptr<encoders::Encoder> encoder,
                                 std::unique_ptr<pipeline::RowTable> table)
    : settings_(std::move(settings)),
      memory_(memory),
      encoder_(std::move(encoder)),
      table_(std::move(table)) {
  settings_.batch_atoms = forced_batch_tokens(settings_.compute, settings_.batch_atoms);
}

EncodingSession::EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory,
                                 EncoderAndRows released)
    : EncodingSession(std::move(settings), memory, std::move(released.encoder), std::move(released.rows)) {
  model_ = std::move(released.model);
}

// The list is a value, so its memory is free as soon as the molecules are encoded.
pipeline::EncodeOutcome EncodingSession::encode(const pipeline::MoleculeSource& source,
                                                // NOLINTNEXTLINE(performance-unnecessary-value-param)
                                                MoleculeList molecules) {
  memory::Phase phase = memory_.phases().begin("encoding");
  pipeline::PipelineOptions options;
  options.total = molecules.records;
  const EncodingPlanner planner(model(), molecules);
  const EncodingPlan plan = make_plan(planner, bytes_beside_batches(molecules));
  const pipeline::BatchChoice& batches = plan.choice;
  phase.set_planned(memory_.projected_peak(batches.host_bytes, batches.device_bytes));
  memory_.set_batch(fmt::format("{} x {} atoms", batches.workers, batches.batch_tokens));
  options.threads = batches.workers;
  options.batch_tokens = batches.batch_tokens;
  options.fits = [&](std::span<const memory::ItemSize> batch) { return plan.steps.fits(batch); };
  options.projected_bytes = [&](std::size_t tokens) { return planner.batch_bytes(tokens); };
  options.waiting_per_worker = settings_.compute.conservative ? 1 : options.waiting_per_worker;
  options.strict = settings_.strict;
  options.keep_keys = settings_.keep_keys;
  options.scratch = runtime::store_folder(settings_.store);
  options.quiet = settings_.compute.quiet;
  options.in_this_thread = settings_.is_short;
  options.fine = fine_.get();
  options.allocator = encoder_->is_on_gpu() ? memory_.allocator_access() : memory::tensor_access();
  std::optional<ConformerMaker> conformers;
  if (encoder_->perception().coordinates != chem::Coordinates::none) {
    const auto store = store::BlobStore::open(runtime::store_folder(settings_.store), store::Access::write);
    const ConformerOptions chosen = conformer_options(settings_, *encoder_);
    conformers.emplace(store.table(conformer_space(chosen.engine)), chosen);
    options.conformers = [&](const chem::MoleculeRecord& record, chem::Coordinates wanted) {
      chem::Conformer all = conformers->make(record).conformer;
      return wanted == chem::Coordinates::heavy ? chem::without_hydrogens(all) : all;
    };
  }
  pipeline::EncodeOutcome outcome = pipeline::encode_molecules(source, *encoder_, *table_, options);
  if (conformers) {
    conformers->flush();
    conformers_ = conformers->counts();
    report_places(conformers_);
  }
  if (outcome.cropped > 0) {
    log_warning("{} more atoms than the maximum of {}. A fixed random sample represents them",
                outcome.cropped == 1 ? "1 molecule has" : fmt::format("{} molecules have", outcome.cropped),
                encoder_->identity().encoder);
  }
  oom_recoveries_ += outcome.memory.recoveries;
  if (!settings_.allow_all_failed) {
    require_a_molecule(outcome);
  }
  return outcome;
}

void EncodingSession::declare_requirement(const MoleculeList& molecules) {
  memory_.declare_requirement(smallest_need(molecules));
}

runtime::MemoryRequirement EncodingSession::smallest_need(const MoleculeList& molecules) {
  return EncodingPlanner(model(), molecules)
      .smallest_need(settings_.batch_atoms, bytes_beside_batches(molecules));
}

std::uint64_t EncodingSession::bytes_beside_batches(const MoleculeList& molecules) const {
  return (settings_.keep_keys ? molecules.records * sizeof(Hash128) : 0) + bytes_of_reading(molecules);
}

EncodingModel& EncodingSession::model() {
  if (!model_) {
    const runtime::PlanningScope planning;
    const bool on_gpu = encoder_->is_on_gpu();
    if (on_gpu) {
      encoder_for_plans_ = make_encoder_for_plans(settings_);
    }
    model_ =
        std::make_unique<EncodingModel>(on_gpu ? *encoder_for_plans_ : *encoder_,
                                        on_gpu ? EncodingModel::Device::gpu : EncodingModel::Device::cpu);
  }
  return *model_;
}

EncodingPlan EncodingSession::make_plan(const EncodingPlanner& planner, std::uint64_t bytes_beside) {
  const runtime::MemoryRequirement smallest = planner.smallest_need(settings_.batch_atoms, bytes_beside);
  memory_.require(smallest);
  memory::AvailableMemory room = memory_.room();
  room.host -= std::min(room.host, set_aside_);
  // require() has just confirmed that `smallest` fits. If less memory is available now, plans with
  // `smallest`.
  room.host = std::max(room.host, smallest.host_bytes) - bytes_beside;
  PlannedEncoding planned =
      planner.plan(room, settings_.is_short ? 1 : runtime::threads_of(settings_.compute),
                   settings_.batch_atoms, !settings_.is_short);
  report_ = std::move(planned.report);
  memory::require_fit(report_);
  workers_ = planned.plan->choice.workers;
  return std::move(*planned.plan);
}

ops::Floats EncodingSession::features(std::span<const Hash128> keys) {
  const auto rows = static_cast<std::int64_t>(keys.size());
  memory::Workload loading;
  loading.name = "loading features";
  ops::Floats features;
  memory::Recovery(loading, memory::tensor_access()).retry_until_fits("loading features", [&] {
    features = ops::Floats{rows, static_cast<std::int64_t>(encoder_->width())};
  });
  if (pipeline::gather_rows(*table_, keys, features.numbers()) > 0) {
    throw Error(
        fmt::format("encoded rows are no longer in the feature store. {}", pipeline::kAdviceOnAbsentRows));
  }
  return features;
}

}  // namespace molgauge::session
