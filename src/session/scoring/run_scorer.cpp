#include "session/scoring/run_scorer.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "domain/saved_domain.h"
#include "ood/run/run_config.h"
#include "ood/run/run_results.h"
#include "ood/run/seeds.h"
#include "ood/run/validation_scores.h"
#include "session/later_needs.h"
#include "session/scoring/head_scorer.h"
#include "session/scoring/trained_run.h"
#include "session/torch_part.h"

namespace headroom::session {
namespace {

constexpr const char* kEnergyScore = "energy_score";

HeldOutScores held_out_of(ood::FoundValidationScores found) {
  HeldOutScores held_out;
  held_out.why_none = std::move(found.why_none);
  if (found.scores) {
    held_out.id = std::move(found.scores->id);
    held_out.platt = found.scores->platt;
  }
  return held_out;
}

/// `headroom train`, and a training of the Python project.
class HeadRun final : public RunScorer {
 public:
  HeadRun(const ScoreRequest& request, Device device, MemorySession& memory)
      : run_(request, request.strict, request.compute, memory),
        scorer_(run_.head(), device, run_.request().eval_batch_size, threads_of(request.compute)) {
    if (run_.is_python()) {
      held_out_.why_none = "a run of the Python project keeps no scores of held-out molecules";
    } else {
      held_out_ =
          held_out_of(ood::find_validation_scores(request.run, ood::identity_of_best_model(request.run)));
    }
  }

  EncodingSession& session() override { return run_.session(); }
  std::string score_name() const override { return kEnergyScore; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return run_.request().eval_batch_size; }
  MemoryNeed need(std::size_t rows, std::size_t rows_at_once, std::uint64_t bytes_a_row) const override {
    return scorer_.need(rows, rows_at_once, bytes_a_row);
  }
  std::vector<std::vector<float>> score(const ops::Floats& features) const override {
    return {scorer_.score(features).energies};
  }

 private:
  TrainedRun run_;
  HeadScorer scorer_;
  HeldOutScores held_out_;
};

ScoreRequest of_seed(ScoreRequest request, std::uint64_t seed) {
  request.run = ood::seed_folder(request.run, seed).string();
  return request;
}

/// `headroom train --seeds`.
class SeedsRun final : public RunScorer {
 public:
  SeedsRun(const ScoreRequest& request, const std::vector<std::uint64_t>& seeds, Device device,
           MemorySession& memory)
      : run_(of_seed(request, seeds.front()), request.strict, request.compute, memory) {
    const encoders::Encoder& encoder = run_.session().encoder();
    for (const std::uint64_t seed : seeds) {
      const std::filesystem::path folder = ood::seed_folder(request.run, seed);
      ood::require_encoder(folder, ood::read_run_config(folder), encoder.identity().encoder,
                           encoder_identity(encoder), encoder.width());
      scorers_.emplace_back(ood::load_best_model(folder, encoder.width()), device, batch_size(),
                            threads_of(request.compute));
      auto found = ood::find_validation_scores(folder, ood::identity_of_best_model(folder));
      if (!found.scores) {
        throw InputError(folder.string() + ": " + found.why_none);
      }
      held_out_.id_of_seeds.push_back(std::move(found.scores->id));
    }
    auto of_seeds = std::move(held_out_.id_of_seeds);
    held_out_ =
        held_out_of(ood::find_validation_scores(request.run, ood::identity_of_seeds(request.run, seeds)));
    held_out_.id_of_seeds = std::move(of_seeds);
  }

  EncodingSession& session() override { return run_.session(); }
  std::string score_name() const override { return kEnergyScore; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return run_.request().eval_batch_size; }
  MemoryNeed need(std::size_t rows, std::size_t rows_at_once, std::uint64_t bytes_a_row) const override {
    const std::uint64_t more_scores = (scorers_.size() - 1) * 2 * sizeof(float);
    return scorers_.front().need(rows, rows_at_once, bytes_a_row + more_scores);
  }
  std::vector<std::vector<float>> score(const ops::Floats& features) const override {
    std::vector<std::vector<float>> scores;
    for (const HeadScorer& scorer : scorers_) {
      scores.push_back(scorer.score(features).energies);
    }
    return scores;
  }

 private:
  TrainedRun run_;  ///< of the first seed
  std::vector<HeadScorer> scorers_;
  HeldOutScores held_out_;
};

/// `headroom baseline`.
class BaselineFolder final : public RunScorer {
 public:
  BaselineFolder(const ScoreRequest& request, MemorySession& memory)
      : baseline_(torch_part().load_baseline(request.run, request.method, threads_of(request.compute))),
        threads_(threads_of(request.compute)),
        session_(settings_of_run(request, {baseline_.encoder, baseline_.features, baseline_.precision},
                                 request.strict, request.compute),
                 memory) {
    const encoders::Encoder& encoder = session_.encoder();
    if (encoder_identity(encoder) != baseline_.encoder_identity ||
        encoder.width() != baseline_.feature_width) {
      throw InputError(request.run + ": was made from features of " + baseline_.encoder + " (" +
                       baseline_.encoder_identity + "), not of " + encoder.identity().encoder + " (" +
                       encoder_identity(encoder) +
                       "); use that encoder with the same weights and precision, or run 'headroom baseline' "
                       "again");
    }
    held_out_.id = baseline_.held_out;
  }

  EncodingSession& session() override { return session_; }
  std::string score_name() const override { return baseline_.method + "_score"; }
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override { return baseline_.batch_size; }
  MemoryNeed need(std::size_t rows, std::size_t rows_at_once, std::uint64_t bytes_a_row) const override {
    const std::uint64_t features =
        std::uint64_t{std::min(rows, rows_at_once)} * baseline_.feature_width * sizeof(float);
    return host_need("the detector " + baseline_.method,
                     features + rows * bytes_a_row + threads_ * baseline_.bytes_of_batch);
  }
  std::vector<std::vector<float>> score(const ops::Floats& features) const override {
    return {baseline_.score(features)};
  }

 private:
  StoredBaseline baseline_;
  std::size_t threads_;
  EncodingSession session_;
  HeldOutScores held_out_;
};

}  // namespace

std::unique_ptr<RunScorer> open_run_scorer(const ScoreRequest& request, Device device,
                                           MemorySession& memory) {
  if (domain::is_saved_domain(request.run)) {
    throw UsageError(request.run + ": is a saved domain, no detector; use it with: headroom domain " +
                     request.run + " " + request.molecules);
  }
  if (ood::is_baseline_folder(request.run)) {
    return std::make_unique<BaselineFolder>(request, memory);
  }
  if (!request.method.empty()) {
    throw UsageError("--method " + request.method + ": has no effect, as " + request.run +
                     " is no folder of 'headroom baseline'");
  }
  const std::vector<std::uint64_t> seeds = ood::find_seeds(request.run);
  if (!seeds.empty()) {
    return std::make_unique<SeedsRun>(request, seeds, device, memory);
  }
  return std::make_unique<HeadRun>(request, device, memory);
}

}  // namespace headroom::session
