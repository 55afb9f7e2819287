#include "molecules/experiments/matrix/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace molgauge::matrix {
namespace {

using Seeds = std::pair<std::uint64_t, std::uint64_t>;

double average_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The cells of a variant, in order of first appearance.
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

/// Runs with the same data seed share their molecules, so they are not independent. With several data seeds,
/// the confidence interval is computed over the averages of the data seeds.
Estimate estimate_of(const Group& group, double CellResult::*field) {
  std::vector<double> values;
  std::map<std::uint64_t, std::vector<double>> by_data_seed;
  for (const auto& [seeds, result] : group.results) {
    values.push_back(result->*field);
    by_data_seed[seeds.second].push_back(result->*field);
  }
  if (values.empty() ||
      std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
    return {};
  }
  Estimate result = estimate(values);
  if (by_data_seed.size() > 1) {
    std::vector<double> averages;
    averages.reserve(by_data_seed.size());
    for (const auto& [data_seed, own] : by_data_seed) {
      averages.push_back(average_of(own));
    }
    const Estimate over_data_seeds = estimate(averages);
    result.low = over_data_seeds.low;
    result.high = over_data_seeds.high;
  }
  return result;
}

Comparison compare(const Group& first, const Group& second) {
  std::vector<double> of_runs;
  std::map<std::uint64_t, std::vector<double>> by_data_seed;
  for (const auto& [seeds, result] : first.results) {
    const auto other = second.results.find(seeds);
    if (other != second.results.end()) {
      of_runs.push_back(result->auroc - other->second->auroc);
      by_data_seed[seeds.second].push_back(of_runs.back());
    }
  }
  Comparison comparison{.benchmark = first.cell->benchmark,
                        .encoder = first.cell->encoder,
                        .first = first.cell->variant(),
                        .second = second.cell->variant(),
                        .pairs = of_runs.size(),
                        .data_seeds = by_data_seed.size(),
                        .averages_data_seeds = by_data_seed.size() > 1,
                        .bootstrap = {}};
  if (of_runs.empty()) {
    return comparison;
  }
  std::vector<double> averages;
  averages.reserve(by_data_seed.size());
  for (const auto& [data_seed, differences] : by_data_seed) {
    averages.push_back(average_of(differences));
  }
  comparison.mean_difference = average_of(averages);
  comparison.p_value = signed_rank_p_value(comparison.averages_data_seeds ? averages : of_runs);
  return comparison;
}

}  // namespace

std::vector<VariantSummary> summarize(const std::vector<CellOutcome>& outcomes) {
  std::vector<VariantSummary> summaries;
  for (const Group& own : group(outcomes)) {
    summaries.push_back({own.cell->benchmark, own.cell->encoder, own.cell->method, own.cell->variant(),
                         estimate_of(own, &CellResult::auroc), estimate_of(own, &CellResult::aupr),
                         estimate_of(own, &CellResult::fpr95),
                         estimate_of(own, &CellResult::validation_auroc),
                         estimate_of(own, &CellResult::aupr_id_positive),
                         estimate_of(own, &CellResult::fpr95_id_positive), own.failed});
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
  std::vector<double> p_values;
  p_values.reserve(comparisons.size());
  for (const Comparison& comparison : comparisons) {
    p_values.push_back(comparison.p_value);
  }
  const std::vector<double> corrected = holm_corrected(p_values);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    comparisons[i].p_holm = corrected[i];
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

}  // namespace molgauge::matrix
