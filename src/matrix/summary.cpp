#include "matrix/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headroom::matrix {
namespace {

using Seeds = std::pair<std::uint64_t, std::uint64_t>;

/// The cells of one variant, in order of first appearance.
struct Group {
  const Cell* cell = nullptr;
  std::map<Seeds, const CellResult*> results;
  std::size_t failed = 0;
};

std::vector<Group> group(const std::vector<CellOutcome>& outcomes) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const auto& [cell, ended, found] : outcomes) {
    const auto [place, fresh] =
        places.emplace(std::tuple(cell.benchmark, cell.encoder, cell.variant()), groups.size());
    if (fresh) {
      groups.push_back({&cell, {}, 0});
    }
    Group& own = groups[place->second];
    if (ended.result) {
      own.results[{cell.seed, cell.data_seed}] = &*ended.result;
    } else {
      ++own.failed;
    }
  }
  return groups;
}

Estimate estimate_of(const Group& group, double CellResult::*field) {
  std::vector<double> values;
  for (const auto& entry : group.results) {
    values.push_back(entry.second->*field);
  }
  return values.empty() ? Estimate{} : estimate(values);
}

Comparison compare(const Group& first, const Group& second) {
  std::vector<double> differences;
  double sum = 0;
  for (const auto& [seeds, result] : first.results) {
    const auto other = second.results.find(seeds);
    if (other != second.results.end()) {
      differences.push_back(result->auroc - other->second->auroc);
      sum += differences.back();
    }
  }
  Comparison comparison{first.cell->benchmark, first.cell->encoder, first.cell->variant(),
                        second.cell->variant(), differences.size()};
  if (!differences.empty()) {
    comparison.mean_difference = sum / static_cast<double>(differences.size());
    comparison.p_value = signed_rank_p_value(differences);
  }
  return comparison;
}

}  // namespace

std::vector<VariantSummary> summarize(const std::vector<CellOutcome>& outcomes) {
  std::vector<VariantSummary> summaries;
  for (const Group& own : group(outcomes)) {
    summaries.push_back({own.cell->benchmark, own.cell->encoder, own.cell->method, own.cell->variant(),
                         estimate_of(own, &CellResult::auroc), estimate_of(own, &CellResult::aupr),
                         estimate_of(own, &CellResult::fpr95),
                         estimate_of(own, &CellResult::validation_auroc), own.failed});
  }
  return summaries;
}

std::vector<Comparison> compare(const std::vector<CellOutcome>& outcomes) {
  const auto groups = group(outcomes);
  std::vector<Comparison> comparisons;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      if (groups[i].cell->benchmark == groups[j].cell->benchmark &&
          groups[i].cell->encoder == groups[j].cell->encoder) {
        auto comparison = compare(groups[i], groups[j]);
        if (comparison.pairs > 0) {
          comparisons.push_back(std::move(comparison));
        }
      }
    }
  }
  return comparisons;
}

std::vector<VariantSummary> choose_on_validation(const std::vector<VariantSummary>& summaries) {
  std::vector<VariantSummary> chosen;
  for (const auto& candidate : summaries) {
    if (candidate.variant == candidate.method || candidate.validation_auroc.count == 0) {
      continue;
    }
    const auto place = std::find_if(chosen.begin(), chosen.end(), [&](const VariantSummary& best) {
      return best.benchmark == candidate.benchmark && best.encoder == candidate.encoder &&
             best.method == candidate.method;
    });
    if (place == chosen.end()) {
      chosen.push_back(candidate);
    } else if (candidate.validation_auroc.mean > place->validation_auroc.mean) {
      *place = candidate;
    }
  }
  return chosen;
}

}  // namespace headroom::matrix
