#include "verbs/score/held_out.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "models/domain/saved_domain.h"
#include "models/ood/run/python_run.h"
#include "models/ood/run/run_config.h"
#include "models/ood/run/seeds.h"
#include "models/ood/run/validation_scores.h"
#include "models/ood/run/validation_test_gap.h"
#include "runtime/torch_backend.h"

namespace headroom::session {
namespace {

HeldOutScores held_out_of(ood::FoundValidationScores found) {
  HeldOutScores held_out;
  held_out.why_none = std::move(found.why_none);
  if (found.scores) {
    held_out.id = std::move(found.scores->id);
    held_out.ood = std::move(found.scores->ood);
    held_out.platt = found.scores->platt;
  }
  return held_out;
}

}  // namespace

HeldOutScores held_out_of_head(const std::string& run) {
  HeldOutScores held_out = held_out_of(ood::find_validation_scores(run, ood::identity_of_best_model(run)));
  if (!held_out.id.empty()) {
    held_out.gap = ood::stored_gap(run);
  }
  return held_out;
}

HeldOutScores held_out_of_seeds(const std::string& run, const std::vector<std::uint64_t>& seeds) {
  HeldOutScores held_out = held_out_of(ood::find_validation_scores(run, ood::identity_of_seeds(run, seeds)));
  std::vector<ValidationTestGap> gaps;
  for (const std::uint64_t seed : seeds) {
    const std::filesystem::path folder = ood::seed_folder(run, seed);
    if (const auto gap = ood::stored_gap(folder)) {
      gaps.push_back(*gap);
    }
    auto found = ood::find_validation_scores(folder, ood::identity_of_best_model(folder));
    if (!found.scores) {
      throw InputError(folder.string() + ": " + found.why_none);
    }
    held_out.id_of_seeds.push_back(std::move(found.scores->id));
  }
  held_out.gap = ood::mean_gap(gaps);
  return held_out;
}

std::string warning_of(const HeldOutScores& held_out) {
  return held_out.gap ? ood::gap_warning(*held_out.gap) : "";
}

RunKind kind_of_run(const std::string& run, const std::string& method) {
  if (ood::is_baseline_folder(run)) {
    return RunKind::baselines;
  }
  if (!method.empty()) {
    throw UsageError("--method " + method + ": has no effect, as " + run +
                     " is no folder of 'headroom baseline'");
  }
  return domain::is_saved_domain(run)            ? RunKind::saved_domain
         : !ood::find_seeds(run).empty()         ? RunKind::seeds
         : ood::find_python_run(run).has_value() ? RunKind::python
                                                 : RunKind::head;
}

std::string score_name_of(const std::string& method) { return method + "_score"; }

KnownScores read_known_scores(const std::string& run, const std::string& method) {
  const RunKind kind = kind_of_run(run, method);
  switch (kind) {
    case RunKind::saved_domain: {
      const domain::SavedDomain saved = domain::load_domain(run, /*threads=*/1);
      return {kind,
              kDomainScore,
              {.id = saved.domain->calibration().random, .domain_level = saved.settings.level}};
    }
    case RunKind::baselines: {
      StoredBaseline baseline = torch_backend().load_baseline(run, method, /*threads=*/1);
      return {kind, score_name_of(baseline.method), {.id = std::move(baseline.held_out)}};
    }
    case RunKind::seeds:
      return {kind, kEnergyScore, held_out_of_seeds(run, ood::find_seeds(run))};
    case RunKind::python:
      return {kind, kEnergyScore, {.why_none = kPythonKeepsNone}};
    case RunKind::head:
      break;
  }
  ood::read_run_config(run);  // throws if it is not a run
  return {kind, kEnergyScore, held_out_of_head(run)};
}

}  // namespace headroom::session
