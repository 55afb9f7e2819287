#include "molecules/verbs/domain/domain_levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "molecules/judging/held_out_distribution.h"
#include "molecules/verbs/domain/domain_labels.h"

namespace molgauge::verbs {
namespace {

/// Fewer held-out scaffolds cannot support a p-value of 0.05, because 1 / (19 + 1) = 0.05.
constexpr std::size_t kFewScaffolds = 19;

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

std::optional<std::string> scaffold_notice(const domain::Calibration& calibration) {
  const std::size_t molecules = calibration.scaffold.size();
  if (calibration.scaffolds == 0) {
    return fmt::format(
        "There are no p-values for new scaffolds, because the training set has fewer than {} scaffolds that "
        "can "
        "be left out.",
        domain::kMinScaffolds);
  }
  if (calibration.scaffolds < kFewScaffolds) {
    return fmt::format("The p-values for new scaffolds are based on only {} training molecules of {}.",
                       molecules, counted(calibration.scaffolds, "scaffold"));
  }
  if (2 * calibration.largest_scaffold > molecules) {
    return fmt::format(
        "One scaffold has {} of the {} molecules behind the p-values for new scaffolds. The p-values mostly "
        "describe this scaffold.",
        calibration.largest_scaffold, molecules);
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

std::optional<std::string> small_training_warning(std::size_t left_out, const domain::Levels& levels) {
  const double smallest = 1 / (static_cast<double>(left_out) + 1);
  if (left_out == 0 || levels.outside >= smallest - 1e-12) {
    return std::nullopt;
  }
  using domain::HeldOutDistribution;
  const auto needed = static_cast<std::size_t>(std::ceil(1 / levels.outside - 1e-9)) - 1;
  const bool has_tail = left_out >= HeldOutDistribution::kMinWithTail;
  const double possible = smallest * (has_tail ? HeldOutDistribution::kFarthestExtrapolation : 1);
  if (levels.outside < possible) {
    return fmt::format(
        "no candidate can be outside by its distance at level {:g}, because the training set has only {} and "
        "the smallest p-value is {:.2g}. Give at least {} distinct training molecules, or a --level of at "
        "least {:.2g}.",
        levels.outside, counted(left_out, "molecule"), possible,
        has_tail ? needed : std::min(needed, HeldOutDistribution::kMinWithTail), possible);
  }
  std::string warning = fmt::format(
      "p-values below {:.2g} are extrapolated, because only {} are compared with the rest of the training "
      "set. "
      "The level {:g} is below this limit.",
      smallest, counted(left_out, "training molecule"), levels.outside);
  if (needed <= domain::kMaxLeftOut) {
    warning += fmt::format(" Give at least {} distinct training molecules to measure this level.", needed);
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
  const domain::HeldOutDistribution left_out(calibration.left_out);
  const auto share_above = [&](double level) {
    const float threshold = left_out.threshold(level);
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
  if (auto warning = small_training_warning(saved.domain->calibration().left_out.size(), levels)) {
    notices.push_back(capitalised(std::move(*warning)));
  }
  if (auto notice = scaffold_notice(saved.domain->calibration())) {
    notices.push_back(std::move(*notice));
  }
  std::ranges::move(label_notices(saved.labels), std::back_inserter(notices));
  return notices;
}

std::string remark_notice(std::size_t candidates) {
  return candidates == 1
             ? "1 candidate is a radical or a mixture. See the column domain_reason."
             : fmt::format("{} candidates are radicals or mixtures. See the column domain_reason.",
                           candidates);
}

}  // namespace molgauge::verbs
