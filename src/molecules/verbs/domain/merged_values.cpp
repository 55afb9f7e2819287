#include "molecules/verbs/domain/merged_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace molgauge::verbs {
namespace {

constexpr double kNoLabel = std::numeric_limits<double>::quiet_NaN();

/// `labels`: in ascending order, with two distinct values.
double majority_of(const std::vector<double>& labels) {
  const auto lower = std::count(labels.begin(), labels.end(), labels.front());
  const auto upper = static_cast<std::ptrdiff_t>(labels.size()) - lower;
  return lower == upper ? kNoLabel : lower > upper ? labels.front() : labels.back();
}

}  // namespace

void MergedValues::add(std::size_t molecule, double value) {
  if (molecule >= first_.size()) {
    first_.resize(molecule + 1, kNoLabel);
  }
  if (std::isnan(value)) {
    return;
  }
  count(value);
  if (std::isnan(first_[molecule])) {
    first_[molecule] = value;
  } else {
    further_[molecule].push_back(value);
  }
}

void MergedValues::count(double value) {
  if (distinct_ == 0) {
    one_ = value;
    distinct_ = 1;
  } else if (distinct_ == 1 && value != one_) {
    other_ = value;
    distinct_ = 2;
  } else if (distinct_ == 2 && value != one_ && value != other_) {
    distinct_ = 3;
  }
}

std::vector<double> MergedValues::labels_of(std::size_t molecule) const {
  std::vector<double> labels;
  if (!std::isnan(first_[molecule])) {
    labels.push_back(first_[molecule]);
  }
  if (const auto found = further_.find(molecule); found != further_.end()) {
    labels.insert(labels.end(), found->second.begin(), found->second.end());
    std::sort(labels.begin(), labels.end());
  }
  return labels;
}

bool MergedValues::has_conflict(std::size_t molecule) const {
  const auto found = further_.find(molecule);
  return found != further_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                [&](double label) { return label != first_[molecule]; });
}

double MergedValues::merged(std::size_t molecule) const {
  if (!has_conflict(molecule)) {
    return first_[molecule];  // exact, although a sum could be rounded
  }
  const std::vector<double> labels = labels_of(molecule);
  if (are_classes()) {
    return majority_of(labels);
  }
  return std::accumulate(labels.begin(), labels.end(), 0.0) / static_cast<double>(labels.size());
}

}  // namespace molgauge::verbs
