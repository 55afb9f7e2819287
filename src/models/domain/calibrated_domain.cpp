#include "models/domain/calibrated_domain.h"

#include <algorithm>
#include <utility>

namespace headroom::domain {
namespace {

Reference::Settings for_reference(const CalibratedDomain::Settings& settings, bool shows_nearest,
                                  Progress* progress = nullptr) {
  return {settings.method, settings.seed, settings.threads, shows_nearest, progress};
}

std::vector<bool> others(std::vector<bool> marks) {
  marks.flip();
  return marks;
}

}  // namespace

CalibratedDomain::CalibratedDomain(Molecules training, const std::vector<std::string>& scaffolds,
                                   const Settings& settings)
    : training_(std::move(training)) {
  const std::size_t count = held_out_count(training_.size(), settings.level);
  held_out_ = draw_held_out(training_.size(), count, settings.seed);
  const std::vector<bool> scaffolds_out = draw_scaffolds(scaffolds, count, settings.seed);
  const auto out = static_cast<std::size_t>(std::count(scaffolds_out.begin(), scaffolds_out.end(), true));
  const bool has_scaffolds = out > 0 && training_.size() - out >= 2;
  const auto compared = [&](std::size_t held_out) {
    return held_out + Reference::compared_for_scales(training_.size() - held_out, settings.method);
  };
  Progress progress("calibrate", "molecule", compared(count) + (has_scaffolds ? compared(out) : 0),
                    settings.quiet);
  if (has_scaffolds) {
    // A temporary reference, which is destroyed before the permanent reference is made.
    const Reference reference(training_, others(scaffolds_out), for_reference(settings, false, &progress));
    calibration_.scaffold = scores_of(reference, scaffolds_out, progress);
  }
  reference_ =
      std::make_unique<Reference>(training_, others(held_out_), for_reference(settings, true, &progress));
  calibration_.random = scores_of(*reference_, held_out_, progress);
}

CalibratedDomain::CalibratedDomain(Molecules training, std::vector<bool> held_out, Reference::Scales scales,
                                   Calibration calibration, const Settings& settings)
    : training_(std::move(training)),
      held_out_(std::move(held_out)),
      reference_(std::make_unique<Reference>(training_, others(held_out_), for_reference(settings, true),
                                             std::move(scales))),
      calibration_(std::move(calibration)) {}

std::vector<float> CalibratedDomain::scores_of(const Reference& reference, const std::vector<bool>& molecules,
                                               Progress& progress) const {
  Molecules chosen;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (molecules[i]) {
      chosen.append(training_, i);
    }
  }
  std::vector<float> scores;
  for (const ScoredMolecule& scored : reference.score(chosen, &progress)) {
    scores.push_back(scored.score);
  }
  std::sort(scores.begin(), scores.end());
  return scores;
}

}  // namespace headroom::domain
