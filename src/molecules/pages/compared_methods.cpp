#include "molecules/pages/compared_methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/page/chart.h"

namespace molgauge::report {
namespace {

using matrix::CellOutcome;
using matrix::VariantSummary;

bool is_of(const CellOutcome& outcome, const VariantSummary& summary) {
  return outcome.cell.benchmark == summary.benchmark && outcome.cell.encoder == summary.encoder &&
         outcome.cell.variant() == summary.variant;
}

/// The run with the median AUROC, or the lower of the two middle runs.
const CellOutcome* median_run(const Study& study, const VariantSummary& summary) {
  std::vector<const CellOutcome*> runs;
  for (const CellOutcome& outcome : study.outcomes) {
    if (outcome.ended.result && is_of(outcome, summary)) {
      runs.push_back(&outcome);
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const CellOutcome* first, const CellOutcome* second) {
    return first->ended.result->auroc < second->ended.result->auroc;
  });
  return runs.empty() ? nullptr : runs[(runs.size() - 1) / 2];
}

/// Returns one summary for each method. For a method with a grid, returns the summary of the point with the
/// best validation result.
std::vector<VariantSummary> one_a_method(const std::vector<VariantSummary>& summaries) {
  const auto chosen = matrix::choose_on_validation(summaries);
  std::vector<VariantSummary> kept;
  for (const VariantSummary& summary : summaries) {
    const auto is_same = [&](const VariantSummary& other) {
      return other.benchmark == summary.benchmark && other.encoder == summary.encoder &&
             other.method == summary.method;
    };
    if (std::any_of(kept.begin(), kept.end(), is_same)) {
      continue;
    }
    const auto choice = std::find_if(chosen.begin(), chosen.end(), is_same);
    kept.push_back(choice == chosen.end() ? summary : *choice);
  }
  return kept;
}

Setting& setting_of(std::vector<Setting>& settings, const VariantSummary& summary) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
    return setting.benchmark == summary.benchmark && setting.encoder == summary.encoder;
  });
  return found != settings.end() ? *found
                                 : settings.emplace_back(Setting{summary.benchmark, summary.encoder, {}});
}

std::vector<ComparedMethod> best_first(const Setting& setting) {
  std::vector<ComparedMethod> ranked;
  std::copy_if(setting.contenders.begin(), setting.contenders.end(), std::back_inserter(ranked),
               [](const ComparedMethod& contender) { return contender.median != nullptr; });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const ComparedMethod& first, const ComparedMethod& second) {
                     return first.summary.auroc.mean > second.summary.auroc.mean;
                   });
  return ranked;
}

}  // namespace

std::string display_name(const std::string& variant) {
  std::string name;
  for (const char letter : variant) {
    name += letter;
    name += letter == ',' ? " " : "";
  }
  return name;
}

std::vector<Setting> settings_of(const Study& study) {
  std::vector<Setting> settings;
  for (const VariantSummary& summary : one_a_method(matrix::summarize(study.outcomes))) {
    auto& contenders = setting_of(settings, summary).contenders;
    contenders.push_back({summary, median_run(study, summary), contenders.size()});
  }
  return settings;
}

std::vector<ComparedMethod> drawn_contenders(const Setting& setting) {
  std::vector<ComparedMethod> drawn = best_first(setting);
  drawn.resize(std::min(drawn.size(), page::kMaxSeries));
  // A method keeps its colour in all charts, unless there are more methods than colours.
  for (std::size_t rank = 0; setting.contenders.size() > page::kMaxSeries && rank < drawn.size(); ++rank) {
    drawn[rank].style = rank;
  }
  return drawn;
}

std::string no_interval() {
  return fmt::format("Intervals need at least {} seeds, so none is drawn.",
                     matrix::Estimate::kLeastForInterval);
}

std::string which_run(const Setting& setting) {
  const bool several =
      std::any_of(setting.contenders.begin(), setting.contenders.end(),
                  [](const ComparedMethod& contender) { return contender.summary.auroc.count > 1; });
  return several ? " Each line shows the run with the median test AUROC of its seeds." : "";
}

std::string left_out(const Setting& setting) {
  const std::vector<ComparedMethod> ranked = best_first(setting);
  std::string names;
  for (std::size_t i = page::kMaxSeries; i < ranked.size(); ++i) {
    names += std::string(names.empty() ? "" : ", ") + display_name(ranked[i].summary.variant);
  }
  return names.empty() ? "" : " Not drawn for lack of space: " + names + ".";
}

}  // namespace molgauge::report
