#include "molecules/verbs/score/run_scorer.h"

#include <algorithm>
#include <filesystem>

#include "base/core/error.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/seeds.h"
#include "molecules/verbs/score/domain_run.h"
#include "molecules/verbs/score/head_scorer.h"

namespace molgauge::verbs {
namespace {

constexpr const char* kEnergyScore = "energy_score";

/// A run of `molgauge train`, or a training of the Python project.
class HeadRun final : public RunScorer {
 public:
  HeadRun(const ScoreRequest& request, Device device, runtime::BudgetScope& memory,
          session::EncoderCache* kept)
      : run_(request, request.strict, request.compute, memory, kept),
        scorer_(run_.head(), device, run_.request().eval_batch_size, runtime::threads_of(request.compute)) {
    if (run_.is_python()) {
      held_out_.why_none = "a run of the Python project has no scores of held-out molecules";
    } else {
      held_out_ = held_out_of_head(request.run);
    }
  }

  session::EncodingSession& session() override { return run_.session(); }
  std::string score_name() const override { return kEnergyScore; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return run_.request().eval_batch_size; }
  runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                  std::uint64_t bytes_a_row) const override {
    return scorer_.need(rows, rows_at_once, bytes_a_row);
  }
  BlockScores score(const ScoredBlock& block) const override {
    return {.of_seeds = {scorer_.score(block.features).energies}};
  }

 private:
  session::TrainedRun run_;
  HeadScorer scorer_;
  HeldOutScores held_out_;
};

ScoreRequest of_seed(ScoreRequest request, std::uint64_t seed) {
  request.run = ood::seed_folder(request.run, seed).string();
  return request;
}

/// A run of `molgauge train --seeds`.
class SeedsRun final : public RunScorer {
 public:
  SeedsRun(const ScoreRequest& request, const std::vector<std::uint64_t>& seeds, Device device,
           runtime::BudgetScope& memory, session::EncoderCache* kept)
      : run_(of_seed(request, seeds.front()), request.strict, request.compute, memory, kept) {
    const encoders::Encoder& encoder = run_.session().encoder();
    for (const std::uint64_t seed : seeds) {
      const std::filesystem::path folder = ood::seed_folder(request.run, seed);
      ood::require_encoder(folder, ood::read_run_config(folder), encoder.identity().encoder,
                           session::encoder_identity(encoder), encoder.width());
      scorers_.emplace_back(ood::load_best_model(folder, encoder.width()), device, batch_size(),
                            runtime::threads_of(request.compute));
    }
    held_out_ = held_out_of_seeds(request.run, seeds);
  }

  session::EncodingSession& session() override { return run_.session(); }
  std::string score_name() const override { return kEnergyScore; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return run_.request().eval_batch_size; }
  runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                  std::uint64_t bytes_a_row) const override {
    const std::uint64_t more_scores = (scorers_.size() - 1) * 2 * sizeof(float);
    return scorers_.front().need(rows, rows_at_once, bytes_a_row + more_scores);
  }
  BlockScores score(const ScoredBlock& block) const override {
    BlockScores scores;
    for (const HeadScorer& scorer : scorers_) {
      scores.of_seeds.push_back(scorer.score(block.features).energies);
    }
    return scores;
  }

 private:
  session::TrainedRun run_;  ///< run of the first seed
  std::vector<HeadScorer> scorers_;
  HeldOutScores held_out_;
};

/// A folder of `molgauge baseline`.
class BaselineFolder final : public RunScorer {
 public:
  BaselineFolder(const ScoreRequest& request, runtime::BudgetScope& memory, session::EncoderCache* kept)
      : baseline_(runtime::torch_part<session::MoleculeTorch>().load_baseline(
            request.run, request.method, runtime::threads_of(request.compute))),
        threads_(runtime::threads_of(request.compute)),
        session_(session::open_session(kept,
                                       session::settings_of_run(request,
                                                                {.encoder = baseline_.encoder,
                                                                 .features = baseline_.features,
                                                                 .precision = baseline_.precision,
                                                                 .placement = baseline_.placement},
                                                                request.strict, request.compute),
                                       memory)) {
    const encoders::Encoder& encoder = session_.encoder();
    if (session::encoder_identity(encoder) != baseline_.encoder_identity ||
        encoder.width() != baseline_.feature_width) {
      throw InputError(request.run + ": was made from features of " + baseline_.encoder + " (" +
                       baseline_.encoder_identity + "), not of " + encoder.identity().encoder + " (" +
                       session::encoder_identity(encoder) +
                       "). Use that encoder with the same weights and precision, or run 'molgauge baseline' "
                       "again");
    }
    held_out_.id = baseline_.held_out;
  }

  session::EncodingSession& session() override { return session_; }
  std::string score_name() const override { return baseline_.method + "_score"; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return baseline_.batch_size; }
  runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                  std::uint64_t bytes_a_row) const override {
    const std::uint64_t features =
        std::uint64_t{std::min(rows, rows_at_once)} * baseline_.feature_width * sizeof(float);
    return session::host_need("the detector " + baseline_.method,
                              features + rows * bytes_a_row + threads_ * baseline_.bytes_of_batch);
  }
  BlockScores score(const ScoredBlock& block) const override {
    return {.of_seeds = {baseline_.score(block.features)}};
  }

 private:
  session::StoredBaseline baseline_;
  std::size_t threads_;
  session::EncodingSession session_;
  HeldOutScores held_out_;
};

}  // namespace

std::unique_ptr<RunScorer> open_run_scorer(const ScoreRequest& request, Device device,
                                           runtime::BudgetScope& memory, session::EncoderCache* kept) {
  if (ood::is_baseline_folder(request.run)) {
    return std::make_unique<BaselineFolder>(request, memory, kept);
  }
  if (!request.method.empty()) {
    throw UsageError("--method " + request.method + ": has no effect, as " + request.run +
                     " is not a folder of 'molgauge baseline'");
  }
  if (domain::is_saved_domain(request.run)) {
    return std::make_unique<DomainRun>(request, memory, kept);
  }
  if (const auto seeds = ood::find_seeds(request.run); !seeds.empty()) {
    return std::make_unique<SeedsRun>(request, seeds, device, memory, kept);
  }
  return std::make_unique<HeadRun>(request, device, memory, kept);
}

}  // namespace molgauge::verbs
