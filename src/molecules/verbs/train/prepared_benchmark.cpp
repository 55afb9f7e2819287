#include "molecules/verbs/train/prepared_benchmark.h"

#include <utility>

#include "base/core/session/log.h"
#include "base/core/text/bytes.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/verbs/train/encoded_sides.h"
#include "molecules/verbs/train/encoder_tuning.h"
#include "molecules/verbs/train/frozen_pass.h"
#include "molecules/verbs/train/training_needs.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

/// Encodes the sides that a training reads.
SideEncoder encoder_of_sides(session::EncodingSession& session, const TrainRequest& request,
                             const datasets::OodBenchmark& benchmark) {
  SideEncoder encoder(session, request.splits_cache.empty() ? request.benchmark : request.splits_cache);
  for (const Side side : {Side::train_id, Side::train_ood, Side::val_id, Side::val_ood}) {
    encoder.add(side, benchmark.of(side));
  }
  return encoder;
}

/// A benchmark whose features are computed once, because the encoder is not trained.
class EncodedBenchmark final : public PreparedBenchmark {
 public:
  EncodedBenchmark(const TrainRequest& request, const ood::TrainingOptions& options,
                   const datasets::OodBenchmark& benchmark, Device device, runtime::BudgetScope& memory,
                   pipeline::FailureLog& failed)
      : session_(encoding_settings(request), memory) {
    SideEncoder encoder = encoder_of_sides(session_, request, benchmark);
    preparation_.feature_width = session_.encoder().width();
    // The training is planned before the molecules are encoded, so that a request that does not fit is
    // refused early.
    const std::size_t threads = runtime::threads_of(request.compute);
    const ood::TrainingSizes sizes = training_sizes(benchmark, preparation_.feature_width);
    {
      const torch::OperatorThreads operator_threads(static_cast<int>(threads));
      preparation_.plan = plan_training(options, sizes, threads, memory);
    }
    memory.declare_requirement(
        need_of_training(preparation_.plan.report, memory.on_device(), sizes.feature_bytes()));
    const auto sides = encoder.encode(failed);
    const auto on = [&](Side side) { return torch::on_device(sides[side], torch::to_c10(device)); };
    data_ = {on(Side::train_id), on(Side::train_ood), on(Side::val_id), on(Side::val_ood)};
    preparation_.encoding_plan = session_.plan();
    preparation_.oom_recoveries = session_.oom_recoveries();
    preparation_.live_bytes = feature_bytes(data_);
  }

  ood::TrainingResult train(const ood::TrainingOptions& options, const std::filesystem::path& run,
                            const ood::TrainingHooks& hooks) override {
    return ood::train_energy_head(data_, options, run, hooks);
  }
  std::string finish(const std::filesystem::path& run, std::size_t batch_size) override {
    keep_validation_scores(run, data_, batch_size);
    return session::encoder_identity(session_.encoder());
  }

 private:
  session::EncodingSession session_;
  ood::TrainingData data_;
};

/// Molecules for an encoder whose last layers are trained as well.
class TunedBenchmark final : public PreparedBenchmark {
 public:
  TunedBenchmark(const TrainRequest& request, const ood::TrainingOptions& options,
                 const datasets::OodBenchmark& benchmark, Device device, runtime::BudgetScope& memory,
                 pipeline::FailureLog& failed)
      : parts_((session::require_expected_weights(encoding_settings(request)),
                load_tuning_parts(request, options))),
        threads_(runtime::threads_of(request.compute)) {
    const session::MoleculeList list = session::list_sides(
        {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood});
    PlannedTuning planned =
        plan_tuning(parts_, options, benchmark, list, least_bytes_of_frozen(*parts_.frozen, request, list),
                    threads_, memory);
    const bool is_on_disk = planned.plan.keeps_on_disk;
    if (is_on_disk) {
      log_info("the output of the frozen layers, about {}, is kept in a file in the run folder",
               format_bytes(planned.kept_bytes));
    }
    parts_.keep_in(is_on_disk ? std::make_unique<encoders::FrozenActivations>(request.run)
                              : std::make_unique<encoders::FrozenActivations>());
    const std::uint64_t in_memory = is_on_disk ? 0 : planned.kept_bytes;
    FrozenPass frozen(request, std::move(parts_.frozen), memory, in_memory);
    const auto encoded = encoder_of_sides(frozen.session(), request, benchmark).encode_keys(failed);
    molecules_ = frozen.numbers(encoded);
    data_identity_ = frozen.identity(encoded);
    parts_.trained->to(torch::to_c10(device));
    preparation_ = {.plan = std::move(planned.plan.training),
                    .encoding_plan = frozen.session().plan(),
                    .oom_recoveries = frozen.session().oom_recoveries(),
                    .feature_width = static_cast<std::size_t>(parts_.trained->width()),
                    .live_bytes = device.is_gpu() ? 0 : in_memory};
  }

  ood::TrainingResult train(const ood::TrainingOptions& options, const std::filesystem::path& run,
                            const ood::TrainingHooks& hooks) override {
    return ood::train_with_encoder(*parts_.trained, molecules_, data_identity_, options, run, hooks);
  }
  std::string finish(const std::filesystem::path& run, std::size_t batch_size) override {
    std::string identity = take_best(*parts_.trained, parts_, run);
    ood::TrainingData validation;
    validation.val_id = parts_.trained->features(molecules_.val_id, threads_);
    validation.val_ood = parts_.trained->features(molecules_.val_ood, threads_);
    keep_validation_scores(run, validation, batch_size);
    return identity;
  }

 private:
  TuningParts parts_;  ///< `frozen` is null after the constructor
  std::size_t threads_;
  ood::TuningMolecules molecules_;
  std::string data_identity_;  ///< in the form that ood::TunedRows takes
};

}  // namespace

std::unique_ptr<PreparedBenchmark> prepare_benchmark(const TrainRequest& request,
                                                     const ood::TrainingOptions& options,
                                                     const datasets::OodBenchmark& benchmark, Device device,
                                                     runtime::BudgetScope& memory,
                                                     pipeline::FailureLog& failed) {
  if (request.finetune_encoder) {
    return std::make_unique<TunedBenchmark>(request, options, benchmark, device, memory, failed);
  }
  return std::make_unique<EncodedBenchmark>(request, options, benchmark, device, memory, failed);
}

}  // namespace molgauge::verbs
