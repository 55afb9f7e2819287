#include "verbs/domain/domain_levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "models/domain/held_out_distribution.h"
#include "models/domain/hold_out.h"
#include "verbs/domain/domain_labels.h"

namespace headroom::session {
namespace {

/// Fewer held-out scaffolds cannot support a p-value of 0.05, because 1 / (19 + 1) = 0.05.
constexpr std::size_t kFewScaffolds = 19;

/// Returns the number of training molecules that are needed so that at least `held_out` of them are held out
/// for p-values of this level.
std::size_t training_needed(std::size_t held_out, double level) {
  std::size_t molecules = held_out;
  while (molecules < 2 * held_out || domain::held_out_count(molecules, level) < held_out) {
    ++molecules;
  }
  return molecules;
}

/// Returns the numbers of candidates that are `outside` and `borderline` by chance, in words. `outside`,
/// `borderline`: expected shares of the candidates.
std::string expected_alarms(double outside, double borderline, std::size_t candidates) {
  const auto number = [&](double share) {
    const double expected = share * static_cast<double>(candidates);
    return expected == 0    ? "0"
           : expected < 0.5 ? fmt::format("{:.2g}", expected)
                            : fmt::format("{:.0f}", expected);
  };
  return fmt::format("about {} would be outside and {} borderline", number(outside), number(borderline));
}

std::string capitalised(std::string sentence) {
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

std::optional<std::string> scaffold_notice(const domain::DrawnScaffolds& drawn, std::size_t molecules) {
  if (drawn.scaffolds == 0) {
    return fmt::format(
        "There are no p-values for new scaffolds, because fewer than {} scaffolds of the training set can be "
        "held out.",
        domain::kMinHeldOutScaffolds);
  }
  if (drawn.scaffolds < kFewScaffolds) {
    return fmt::format("The p-values for new scaffolds are based on only {} held-out molecules of {}.",
                       molecules, counted(drawn.scaffolds, "scaffold"));
  }
  if (2 * drawn.largest > molecules) {
    return fmt::format(
        "One scaffold has {} of the {} held-out molecules behind the p-values for new scaffolds. The "
        "p-values mostly describe this scaffold.",
        drawn.largest, molecules);
  }
  return std::nullopt;
}

}  // namespace

domain::Levels levels_of(const DomainRequest& request, const domain::SavedDomain& saved) {
  domain::Levels levels;
  levels.outside = request.level.value_or(saved.settings.level);
  levels.borderline =
      request.borderline_level.value_or(std::max(domain::kDefaultBorderlineLevel, levels.outside));
  if (levels.borderline < levels.outside) {
    throw UsageError(
        fmt::format("--borderline-level {} is below --level {}, so no candidate could be borderline. Give a "
                    "larger --borderline-level or a smaller --level",
                    levels.borderline, levels.outside));
  }
  return levels;
}

std::optional<std::string> small_training_warning(std::size_t held_out, const domain::Levels& levels) {
  const double smallest = 1 / (static_cast<double>(held_out) + 1);
  if (held_out == 0 || levels.outside >= smallest - 1e-12) {
    return std::nullopt;
  }
  if (held_out < domain::HeldOutDistribution::kMinWithTail) {
    return fmt::format(
        "no candidate can be outside at level {:g}, because only {} are held out and the smallest p-value is "
        "{:.2g}. Give at least {} distinct training molecules, or a --level of at least {:.2g}.",
        levels.outside, counted(held_out, "training molecule"), smallest,
        training_needed(domain::HeldOutDistribution::kMinWithTail, levels.outside), smallest);
  }
  const auto needed = static_cast<std::size_t>(std::ceil(1 / levels.outside - 1e-9)) - 1;
  std::string warning = fmt::format(
      "p-values below {:.2g} are extrapolated, because only {} are held out. The level {:g} is below this "
      "limit.",
      smallest, counted(held_out, "training molecule"), levels.outside);
  if (needed <= domain::kMaxHeldOut) {
    warning += fmt::format(" Give at least {} distinct training molecules to measure this level.",
                           training_needed(needed, levels.outside));
  }
  return warning;
}

std::string false_alarms(const domain::Calibration& calibration, const domain::Levels& levels,
                         const ListedCandidates& candidates) {
  const std::string who =
      candidates.readable == 1 ? "the candidate" : fmt::format("all {} candidates", candidates.readable);
  std::string text =
      fmt::format("If {} were like the training molecules, {} by chance.", who,
                  expected_alarms(levels.outside, levels.borderline - levels.outside, candidates.readable));
  if (calibration.scaffold.empty()) {
    return text;
  }
  const domain::HeldOutDistribution held_out(calibration.random);
  const auto share_above = [&](double level) {
    const float threshold = held_out.threshold(level);
    const auto above = std::count_if(calibration.scaffold.begin(), calibration.scaffold.end(),
                                     [&](float score) { return score > threshold; });
    return static_cast<double>(above) / static_cast<double>(calibration.scaffold.size());
  };
  const double outside = share_above(levels.outside);
  return text +
         fmt::format(" If {} of the same chemistry, {}. {} a new scaffold.",
                     candidates.readable == 1 ? "it had a new scaffold" : "all had new scaffolds",
                     expected_alarms(outside, share_above(levels.borderline) - outside, candidates.readable),
                     candidates.new_scaffolds == 1
                         ? "1 candidate has"
                         : fmt::format("{} candidates have", candidates.new_scaffolds));
}

std::vector<std::string> domain_notices(const domain::SavedDomain& saved, const domain::Levels& levels,
                                        const ListedCandidates& candidates) {
  std::vector<std::string> notices;
  if (candidates.readable > 0) {
    notices.push_back(false_alarms(saved.domain->calibration(), levels, candidates));
  }
  if (auto warning = small_training_warning(saved.domain->calibration().random.size(), levels)) {
    notices.push_back(capitalised(std::move(*warning)));
  }
  if (auto notice = scaffold_notice(held_out_scaffolds(saved), saved.domain->calibration().scaffold.size())) {
    notices.push_back(std::move(*notice));
  }
  std::ranges::move(label_notices(saved.labels), std::back_inserter(notices));
  return notices;
}

domain::DrawnScaffolds held_out_scaffolds(const domain::SavedDomain& saved) {
  const domain::Calibration& calibration = saved.domain->calibration();
  return calibration.scaffold.empty()
             ? domain::DrawnScaffolds{}
             : domain::count_drawn_scaffolds(saved.notes.scaffolds, calibration.random.size(),
                                             saved.settings.seed);
}

}  // namespace headroom::session
