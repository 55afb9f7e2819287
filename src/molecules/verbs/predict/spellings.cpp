#include "molecules/verbs/predict/spellings.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "molecules/chem/spellings.h"

namespace molgauge::verbs {
namespace {

/// Upper limit of the length of a spelling, relative to the SMILES of the input. A spelling can be longer
/// because it has more brackets and ring numbers.
constexpr std::uint64_t kLongerBy = 3;

std::vector<chem::MoleculeRecord> spelled_records(const chem::MoleculeRecord& record) {
  std::vector<chem::MoleculeRecord> records;
  for (std::string& text : chem::other_spellings(record, kOtherSpellings)) {
    records.push_back({.text = std::move(text), .line = record.line, .file = record.file});
  }
  return records;
}

double median_of(std::vector<float> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) {
    return double{*middle};
  }
  return (double{*std::max_element(numbers.begin(), middle)} + double{*middle}) / 2;
}

}  // namespace

void require_chirality(const PredictRequest& request, const encoders::chemprop::ModelSet& set) {
  if (request.check_spellings && set.models.front().form.features == encoders::chemprop::FeatureSet::rigr) {
    throw UsageError(
        "--check-spellings has no effect on this model, because RIGR features do not contain chirality. "
        "Leave "
        "it out");
  }
}

OtherForms other_spellings_of(const pipeline::MoleculeSource& source, std::size_t records,
                              const encoders::chemprop::ModelSet& set, std::size_t threads) {
  OtherForms forms;
  forms.name = "other spellings";
  forms.per_record = kOtherSpellings;
  forms.list = list_forms(source, kOtherSpellings, chem::may_be_chiral);
  forms.list.text_bytes *= kLongerBy;
  forms.list.longest_text *= kLongerBy;
  forms.list.longest_molecule *= kLongerBy;
  forms.make = spelled_records;
  std::size_t tasks = 0;
  for (const encoders::chemprop::Ensemble& ensemble : set.ensembles) {
    tasks += ensemble.tasks.size();
  }
  const std::uint64_t spreads = forms.list.records / kOtherSpellings * tasks * sizeof(float);
  forms.bytes_beside = bytes_beside_forms(forms, kLongerBy, records, threads) + spreads;
  return forms;
}

void Spreads::add(const std::vector<float>& spread) {
  ++molecules_;
  for (std::size_t task = 0; task < spread.size(); ++task) {
    if (!std::isnan(spread[task])) {
      spreads_[task].push_back(spread[task]);
    }
  }
}

void Spreads::report_to(PredictReport& report) const {
  report.chiral_rows = molecules_;
  for (std::size_t task = 0; task < spreads_.size(); ++task) {
    const std::vector<float>& own = spreads_[task];
    if (!own.empty()) {
      report.tasks[task].median_spread = median_of(own);
      report.tasks[task].largest_spread = double{*std::max_element(own.begin(), own.end())};
    }
  }
}

std::string spelling_warning(const PredictReport& report) {
  constexpr std::size_t kShown = 5;
  if (report.chiral_rows == 0) {
    return "";
  }
  std::vector<std::string> tasks;
  for (std::size_t i = 0; i < report.tasks.size() && i < kShown; ++i) {
    const PredictedTask& task = report.tasks[i];
    tasks.push_back(fmt::format("{} {:.3g} (median) and up to {:.3g}", task.name, task.median_spread,
                                task.largest_spread));
  }
  return fmt::format(
      "the predictions of {} depend on the spelling. Spread over {} SMILES of each: {}{}",
      counted(report.chiral_rows, "chiral molecule"), kOtherSpellings + 1, fmt::join(tasks, ", "),
      report.tasks.size() > kShown ? fmt::format(", and {} more tasks in the columns spelling_spread_TASK",
                                                 report.tasks.size() - kShown)
                                   : "");
}

}  // namespace molgauge::verbs
