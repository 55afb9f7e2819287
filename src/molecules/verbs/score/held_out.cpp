#include "molecules/verbs/score/held_out.h"

#include <filesystem>
#include <utility>

#include "base/core/error.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/seeds.h"
#include "molecules/ood/run/validation_scores.h"
#include "molecules/ood/run/validation_test_gap.h"

namespace molgauge::verbs {
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

}  // namespace molgauge::verbs
