#include "molecules/datasets/drugood_split.h"

#include <algorithm>
#include <numeric>

#include "molecules/datasets/class_labels.h"

namespace molgauge::datasets {
namespace {

std::vector<std::size_t> domains_by_descending_key(std::span<const std::int64_t> key_of_domain) {
  std::vector<std::size_t> domains(key_of_domain.size());
  std::iota(domains.begin(), domains.end(), std::size_t{0});
  std::stable_sort(domains.begin(), domains.end(), [&](std::size_t left, std::size_t right) {
    return key_of_domain[left] > key_of_domain[right];
  });
  return domains;
}

void append(std::vector<std::size_t>& part, std::span<const std::size_t> rows) {
  part.insert(part.end(), rows.begin(), rows.end());
}

/// Step 8 of the curation.
void split_training_domain(std::vector<std::size_t>& rows, SplitParts& parts, PythonRandom& random) {
  random.shuffle(rows);
  const std::span<const std::size_t> all = rows;
  const std::size_t train = portion(0.6, rows.size());
  const std::size_t val = portion(0.2, rows.size());
  append(parts.train, all.first(train));
  append(parts.iid_val, all.subspan(train, val));
  append(parts.iid_test, all.subspan(train + val));
}

}  // namespace

double without_censoring(double value, std::string_view relation) {
  if (relation == "<" || relation == "<=") {
    return value - 1;
  }
  if (relation == ">" || relation == ">=") {
    return value + 1;
  }
  return value;
}

double class_threshold(std::vector<double> values) {
  constexpr double kLowest = 4, kHighest = 6, kOtherwise = 5;
  if (values.empty()) {
    return kOtherwise;
  }
  const double median = upper_median(std::move(values));
  return median >= kLowest && median <= kHighest ? median : kOtherwise;
}

SplitParts drugood_split(const DomainTable& domains, std::span<const std::int64_t> key_of_domain,
                         PythonRandom& random) {
  const std::size_t rows = domains.domain_of_row.size();
  std::vector<std::vector<std::size_t>> rows_of_domain(domains.count);
  for (std::size_t row = 0; row < rows; ++row) {
    rows_of_domain[domains.domain_of_row[row]].push_back(row);
  }
  const std::size_t train_limit = portion(0.6, rows);
  const std::size_t val_limit = train_limit + portion(0.2, rows);
  SplitParts parts;
  std::size_t placed = 0;
  for (const std::size_t domain : domains_by_descending_key(key_of_domain)) {
    auto& members = rows_of_domain[domain];
    if (placed < train_limit) {
      split_training_domain(members, parts, random);
    } else {
      append(placed < val_limit ? parts.ood_val : parts.ood_test, members);
    }
    placed += members.size();
  }
  return parts;
}

}  // namespace molgauge::datasets
