#include "molecules/verbs/domain/domain_labels.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "base/core/text/printable.h"

namespace molgauge::verbs {
namespace {

/// Number of molecules that a sentence lists.
constexpr std::size_t kMoleculesShown = 5;

double median_range_of(std::vector<double> numbers) {
  if (numbers.empty()) {
    return 0;
  }
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

std::string conflict_notice(const domain::LabelNotes& notes) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(notes.listed.size(), kMoleculesShown); ++i) {
    const domain::LabelConflict& conflict = notes.listed[i];
    shown.push_back(fmt::format("{} ({:g})", printable(conflict.name), fmt::join(conflict.labels, ", ")));
  }
  const std::size_t more = notes.conflicts - shown.size();
  const std::string list =
      fmt::format("{}{}", fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  const std::string molecules = counted(notes.conflicts, "training molecule");
  if (!notes.are_classes) {
    return fmt::format(
        "{} with several different values: {}. Molgauge uses the mean of the values. The median range is "
        "{:.3g}.",
        molecules, list, notes.median_range);
  }
  return fmt::format(
      "{} with both classes: {}. Molgauge uses the class of the majority. {} left out of the error curve.",
      molecules, list,
      notes.ties == 0   ? "No molecule is"
      : notes.ties == 1 ? "1 molecule without a majority is"
                        : fmt::format("{} molecules without a majority are", notes.ties));
}

std::string censored_notice(const domain::CensoredCount& censored, const char* what, const char* where) {
  return fmt::format("{} of {} such as {} {} left out of {}.", counted(censored.count, "censored value"),
                     what, printable(censored.first), censored.count == 1 ? "is" : "are", where);
}

}  // namespace

void require_numbers_or_two_classes(const DomainRequest& request, const std::string& file,
                                    const datasets::LabelColumn& labels) {
  if (request.labels_are_numbers || !labels.look_like_several_classes()) {
    return;
  }
  throw InputError(
      fmt::format("{}: the column {} contains only {:g}, which look like more than two classes. Molgauge "
                  "uses two classes "
                  "or measured values. If the labels are classes, make a column with 1 for one class and 0 "
                  "for the others. "
                  "If they are numbers, such as counts, add --labels-are-numbers",
                  file, request.label_column, fmt::join(labels.distinct(), ", ")));
}

void require_task(const DomainRequest& request, const std::string& file,
                  const datasets::LabelColumn& labels) {
  require_numbers_or_two_classes(request, file, labels);
  if (request.labels_are_numbers && !labels.look_like_several_classes()) {
    throw UsageError(
        fmt::format("--labels-are-numbers has no effect, because the column {} of {} {}. Leave it out",
                    request.label_column, file,
                    labels.has_two_classes() ? "has two distinct values, which are always classes"
                                             : "does not look like classes"));
  }
}

domain::CensoredCount censored_in(const datasets::LabelColumn& labels) {
  return {labels.censored().count, labels.censored().first};
}

domain::LabelNotes describe_labels(const MergedValues& labels, const std::vector<std::string>& names,
                                   const std::vector<std::string>& smiles) {
  domain::LabelNotes notes;
  notes.are_classes = labels.are_classes();
  std::vector<double> ranges;
  for (std::size_t molecule = 0; molecule < labels.size(); ++molecule) {
    if (!labels.has_conflict(molecule)) {
      continue;
    }
    domain::LabelConflict conflict{names[molecule], smiles[molecule], labels.labels_of(molecule),
                                   labels.merged(molecule)};
    ++notes.conflicts;
    notes.ties += std::isnan(conflict.used) ? 1 : 0;
    ranges.push_back(conflict.labels.back() - conflict.labels.front());
    if (notes.listed.size() < domain::LabelNotes::kListed) {
      notes.listed.push_back(std::move(conflict));
    }
  }
  notes.median_range = notes.are_classes ? 0 : median_range_of(std::move(ranges));
  return notes;
}

std::vector<std::string> label_notices(const domain::LabelNotes& notes) {
  std::vector<std::string> notices;
  if (notes.conflicts > 0) {
    notices.push_back(conflict_notice(notes));
  }
  if (notes.censored.count > 0) {
    notices.push_back(censored_notice(notes.censored, "the training molecules", "the error curve"));
  }
  if (notes.censored_in_calibration.count > 0) {
    notices.push_back(
        censored_notice(notes.censored_in_calibration, "the calibration molecules", "the calibration"));
  }
  return notices;
}

}  // namespace molgauge::verbs
