#include "molecules/datasets/good_split.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

std::vector<std::size_t> ascending_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> rows_by_domain(const DomainTable& domains, DomainOrder order) {
  auto rows = ascending_rows(domains.domain_of_row.size());
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t left, std::size_t right) {
    return domains.domain_of_row[left] < domains.domain_of_row[right];
  });
  if (order == DomainOrder::descending) {
    std::reverse(rows.begin(), rows.end());
  }
  return rows;
}

/// Divides rows that are sorted by domain into sections. Section s begins at the first change of domain at or
/// after starts[s]. Returns the section of each row.
std::vector<std::size_t> lay_sections(std::span<const std::size_t> rows, const DomainTable& domains,
                                      std::span<const std::size_t> starts) {
  std::vector<std::size_t> sections(rows.size());
  std::size_t next = 1;  // the first section begins at the first row
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const bool domain_changes = domains.domain_of_row[rows[i]] != domains.domain_of_row[rows[i - 1]];
    if (next < starts.size() && i >= starts[next] && domain_changes) {
      ++next;
    }
    sections[i] = next - 1;
  }
  return sections;
}

std::vector<TrainingRow> with_environments(std::span<const std::size_t> rows, const DomainTable& domains) {
  std::vector<std::size_t> starts(kGoodEnvironments);
  for (std::size_t environment = 0; environment < starts.size(); ++environment) {
    starts[environment] = environment * (rows.size() / kGoodEnvironments);
  }
  const auto environments = lay_sections(rows, domains, starts);
  std::vector<TrainingRow> training;
  training.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    training.push_back({rows[i], environments[i]});
  }
  return training;
}

}  // namespace

GoodSplit good_no_shift_split(std::size_t rows, PythonRandom& random) {
  auto order = ascending_rows(rows);
  random.shuffle(order);
  const auto train_end = order.begin() + static_cast<std::ptrdiff_t>(portion(0.6, rows));
  const auto val_end = order.begin() + static_cast<std::ptrdiff_t>(portion(0.8, rows));
  GoodSplit split;
  split.parts.train.assign(order.begin(), train_end);
  split.parts.ood_val.assign(train_end, val_end);
  split.parts.ood_test.assign(val_end, order.end());
  for (std::size_t i = 0; i < split.parts.train.size(); ++i) {
    split.train_environment.push_back(random.below(kGoodEnvironments));
  }
  return split;
}

GoodSplit good_covariate_split(const DomainTable& domains, DomainOrder order, PythonRandom& random) {
  const auto rows = rows_by_domain(domains, order);
  const std::vector<std::size_t> starts = {0, portion(0.8, rows.size()), portion(0.9, rows.size())};
  const auto sections = lay_sections(rows, domains, starts);
  // Section numbers ascend, so the rows of a section are consecutive.
  const auto section_begin = [&](std::size_t section) {
    return rows.begin() + (std::lower_bound(sections.begin(), sections.end(), section) - sections.begin());
  };
  GoodSplit split;
  split.parts.ood_val.assign(section_begin(1), section_begin(2));
  split.parts.ood_test.assign(section_begin(2), rows.end());

  auto training = with_environments({rows.begin(), section_begin(1)}, domains);
  random.shuffle(training);
  const std::size_t held_out = portion(0.1, rows.size());
  if (training.size() <= 2 * held_out) {
    throw InputError("too few molecules for a split: training would keep none. Give at least ten");
  }
  const std::size_t kept = training.size() - 2 * held_out;
  for (std::size_t i = 0; i < training.size(); ++i) {
    auto& part = i < kept              ? split.parts.train
                 : i < kept + held_out ? split.parts.iid_val
                                       : split.parts.iid_test;
    part.push_back(training[i].row);
    if (i < kept) {
      split.train_environment.push_back(training[i].environment);
    }
  }
  return split;
}

}  // namespace molgauge::datasets
