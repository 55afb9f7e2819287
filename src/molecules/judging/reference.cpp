#include "molecules/judging/reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"
#include "base/numerics/ops/neighbours/distances.h"
#include "molecules/judging/nearest_rows.h"

namespace molgauge::domain {
namespace {

/// Number of queries that a thread processes together. The training set is read from memory once for all of
/// them.
constexpr std::size_t kQueriesAtOnce = 240;
/// Number of training molecules that determine the bandwidth of the density.
constexpr std::size_t kMembersForBandwidth = 2000;
constexpr double kBandwidths = 2;
/// The weights of DomainMethod::combined (reference.h).
constexpr double kOfCoverage = 2, kOfFeatures = 2.0 / 3, kOfNearest = 3, kOfProperty = 1.0 / 3;
/// A group with more molecules is left out of the Mahalanobis distance by fitting the others again.
constexpr std::size_t kLargestGroup = 512;

}  // namespace

struct Reference::Parts {
  float nearest_distance = 1, knn = 1, tanimoto = 1, rarity = 1, rarity_of_nearest = 1, coverage = 1,
        coverage_of_two = 1, mahalanobis = 0, density = 0;
  PropertySurprise property;
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

/// Molecules to compare. If there are labels, they are training molecules. Each list of labels leaves out the
/// training molecules with the same label, and leads to one result for each molecule.
struct Reference::Queries {
  const Molecules& molecules;
  std::vector<std::uint32_t> places;
  std::vector<const GroupLabels*> labels = {};

  bool are_members() const { return !labels.empty(); }
  std::size_t exclusions() const { return std::max<std::size_t>(1, labels.size()); }
  Exclusion exclusion(std::size_t i, std::size_t number) const {
    return are_members() ? Exclusion{*labels[number], (*labels[number])[places[i]]} : Exclusion{};
  }
};

void Molecules::append(const Molecules& others, std::size_t molecule) {
  width = others.width;
  const auto features_of_it = others.row(molecule);
  features.insert(features.end(), features_of_it.begin(), features_of_it.end());
  environments.append(others.environments.of(molecule));
  properties.push_back(others.properties[molecule]);
}

std::size_t neighbours_averaged(std::size_t training) {
  return static_cast<std::size_t>(std::max(1L, std::lround(std::log10(static_cast<double>(training)))));
}

Reference::Reference(const Molecules& all, const Settings& settings)
    : all_(all), settings_(settings), k_(neighbours_averaged(all.size())), ranges_(all.properties) {
  if (uses_features()) {
    search_ = std::make_unique<CosineSearch>(all.features, all.width);
  }
  if (uses_environments()) {
    environments_ = std::make_unique<EnvironmentIndex>(all.environments, k_);
  }
  if (uses(DomainMethod::mahalanobis)) {
    mahalanobis_ = std::make_unique<MahalanobisDistance>(search_->rows(), all.width, settings_.threads);
  }
}

bool Reference::uses_features() const { return !reads_environments_alone(settings_.method); }

bool Reference::uses_environments() const {
  return settings_.method == DomainMethod::combined || reads_environments_alone(settings_.method);
}

/// Whether the method needs the distance of the method `part`.
bool Reference::uses(DomainMethod part) const {
  return settings_.method == DomainMethod::combined || settings_.method == part;
}

std::size_t Reference::compared_to_calibrate(std::size_t members, DomainMethod method) {
  const bool needs_bandwidth = method == DomainMethod::combined || method == DomainMethod::density;
  return members + (needs_bandwidth ? std::min(members, kMembersForBandwidth) : 0);
}

Reference::LeftOut Reference::calibrate(std::span<const std::uint32_t> members, const LeftOutGroups& groups,
                                        Progress* progress) {
  if (uses(DomainMethod::density)) {
    scales_.bandwidth = bandwidth_of(members, groups.relatives, progress);
  }
  const std::vector<Parts> parts =
      compare({all_, {members.begin(), members.end()}, {&groups.relatives, &groups.scaffolds}}, progress);
  if (settings_.method == DomainMethod::combined) {
    std::vector<float> nearest, rarity, coverage, mahalanobis, density;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      nearest.push_back(parts[i].nearest_distance);
      rarity.push_back(parts[i].rarity_of_nearest);
      coverage.push_back(parts[i].coverage_of_two);
      mahalanobis.push_back(parts[i].mahalanobis);
      density.push_back(parts[i].density);
    }
    scales_ = {ScoreTail(std::move(nearest)),  ScoreTail(std::move(rarity)),
               ScoreTail(std::move(coverage)), ScoreTail(std::move(mahalanobis)),
               ScoreTail(std::move(density)),  scales_.bandwidth};
  }
  LeftOut left_out;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    left_out.without_relatives.push_back(scored(parts[i]));
    left_out.without_scaffold.push_back(scored(parts[i + 1]));
  }
  return left_out;
}

double Reference::bandwidth_of(std::span<const std::uint32_t> members, const GroupLabels& relatives,
                               Progress* progress) const {
  Queries queries{all_, {}, {&relatives}};
  const std::size_t count = std::min(members.size(), kMembersForBandwidth);
  for (std::size_t i = 0; i < count; ++i) {
    queries.places.push_back(members[i * members.size() / count]);
  }
  const std::size_t chunks = (count + kQueriesAtOnce - 1) / kQueriesAtOnce;
  std::vector<Parts> parts(count);
  parallel_for(chunks, settings_.threads, [&](std::size_t chunk) {
    throw_if_cancelled();
    const std::size_t first = chunk * kQueriesAtOnce, own = std::min(kQueriesAtOnce, count - first);
    compare_features(queries, first, std::span(parts).subspan(first, own));
    if (progress != nullptr) {
      progress->advance(own);
    }
  });
  double mean = 0;
  for (const Parts& own : parts) {
    mean += own.nearest_distance / static_cast<double>(count);
  }
  return mean > 0 ? kBandwidths * mean : 1;
}

ScoredMolecule Reference::scored(const Parts& parts) const {
  return {score_of(parts), parts.property, parts.nearest, parts.nearest_count};
}

std::vector<ScoredMolecule> Reference::score(const Molecules& molecules, Progress* progress) const {
  Queries queries{molecules, std::vector<std::uint32_t>(molecules.size())};
  std::iota(queries.places.begin(), queries.places.end(), std::uint32_t{0});
  std::vector<ScoredMolecule> results;
  for (const Parts& parts : compare(queries, progress)) {
    results.push_back(scored(parts));
  }
  return results;
}

std::vector<ScoredMolecule> Reference::score_left_out(std::span<const std::uint32_t> members,
                                                      const GroupLabels& labels, Progress* progress) const {
  std::vector<ScoredMolecule> results;
  for (const Parts& parts : compare({all_, {members.begin(), members.end()}, {&labels}}, progress)) {
    results.push_back(scored(parts));
  }
  return results;
}

/// Returns the results of the first molecule, one for each exclusion, then those of the second, and so on.
std::vector<Reference::Parts> Reference::compare(const Queries& queries, Progress* progress) const {
  const std::size_t all = queries.places.size(), exclusions = queries.exclusions();
  std::vector<Parts> parts(all * exclusions);
  const std::size_t chunks = (all + kQueriesAtOnce - 1) / kQueriesAtOnce;
  parallel_for(chunks, settings_.threads, [&](std::size_t chunk) {
    throw_if_cancelled();
    const std::size_t first = chunk * kQueriesAtOnce, count = std::min(kQueriesAtOnce, all - first);
    const auto own_parts = std::span(parts).subspan(first * exclusions, count * exclusions);
    if (uses_environments()) {
      compare_environments(queries, first, own_parts);
    }
    if (uses_features()) {
      compare_features(queries, first, own_parts);
    }
    for (std::size_t i = 0; i < own_parts.size(); ++i) {
      const std::uint32_t place = queries.places[first + i / exclusions];
      own_parts[i].property = ranges_.surprise(queries.molecules.properties[place], queries.are_members());
    }
    if (progress != nullptr) {
      progress->advance(count);
    }
  });
  for (std::size_t exclusion = 0; mahalanobis_ && exclusion < queries.labels.size(); ++exclusion) {
    add_left_out_mahalanobis(queries, exclusion, parts);
  }
  return parts;
}

void Reference::compare_environments(const Queries& queries, std::size_t first,
                                     std::span<Parts> parts) const {
  const std::size_t number = queries.exclusions();
  std::vector<Exclusion> exclusions;
  std::vector<EnvironmentQuery> asked;
  exclusions.reserve(parts.size());  // queries refer to the elements
  for (std::size_t i = 0; i * number < parts.size(); ++i) {
    for (std::size_t j = 0; j < number; ++j) {
      exclusions.push_back(queries.exclusion(first + i, j));
    }
    asked.push_back({queries.molecules.environments.of(queries.places[first + i]), queries.are_members(),
                     std::span(exclusions).last(number)});
  }
  const std::vector<EnvironmentScores> found = environments_->compare(asked);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const EnvironmentScores& scores = found[i];
    parts[i].tanimoto = scores.tanimoto;
    parts[i].rarity = scores.rarity;
    parts[i].rarity_of_nearest = scores.rarity_of_nearest;
    parts[i].coverage = scores.coverage;
    parts[i].coverage_of_two = scores.coverage_of_two;
    parts[i].nearest = scores.nearest;
    parts[i].nearest_count = scores.nearest_count;
  }
}

void Reference::compare_features(const Queries& queries, std::size_t first, std::span<Parts> parts) const {
  const std::size_t width = all_.width, exclusions = queries.exclusions(), count = parts.size() / exclusions;
  std::vector<float> rows;
  rows.reserve(count * width);
  std::vector<NearestRows> found;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = queries.molecules.row(queries.places[first + i]);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  rows = unit_rows(rows, width);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < exclusions; ++j) {
      found.emplace_back(*search_, std::span(rows).subspan(i * width, width), std::max(kNearestShown, k_),
                         queries.exclusion(first + i, j));
    }
  }
  const bool needs_density = uses(DomainMethod::density) && scales_.bandwidth > 0;
  const auto factor = needs_density ? static_cast<float>(-1 / scales_.bandwidth) : 0;
  std::vector<float> densities;
  search_->for_all_distances(
      rows, [&](std::size_t query, std::size_t first_row, std::span<const float> distances) {
        if (needs_density) {
          densities.resize(distances.size());
          ops::exponentials(factor, distances, densities);
        }
        for (NearestRows& own : std::span(found).subspan(query * exclusions, exclusions)) {
          own.offer(first_row, distances);
          own.add(first_row, densities);
        }
      });
  if (mahalanobis_ && !queries.are_members()) {
    std::vector<float> distances(parts.size());
    mahalanobis_->distances(rows, distances);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].mahalanobis = distances[i];
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto nearest = found[i].nearest();
    parts[i].nearest_distance = nearest.empty() ? 1 : nearest.front().distance;
    parts[i].knn = static_cast<float>(found[i].mean_distance(k_));
    parts[i].density = needs_density ? static_cast<float>(found[i].density_surprise()) : 0;
    parts[i].nearest_count = std::min(nearest.size(), kNearestShown);
    std::copy_n(nearest.begin(), parts[i].nearest_count, parts[i].nearest.begin());
  }
}

void Reference::add_left_out_mahalanobis(const Queries& queries, std::size_t exclusion,
                                         std::vector<Parts>& parts) const {
  const GroupLabels& labels = *queries.labels[exclusion];
  const std::vector<Group> groups = asked_groups(queries, exclusion);
  const std::size_t width = all_.width;
  const auto rows_of = [&](std::span<const std::uint32_t> members) {
    std::vector<float> rows;
    rows.reserve(members.size() * width);
    for (const std::uint32_t member : members) {
      const auto row = search_->rows().subspan(member * width, width);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  };
  const auto distances_of = [&](const Group& group) {
    std::vector<float> distances(group.members.size());
    if (group.members.size() <= kLargestGroup) {
      mahalanobis_->left_out_distances(mahalanobis_->whitened(rows_of(group.members)), distances);
    } else if (2 * group.members.size() > all_.size()) {
      mahalanobis_->distances(rows_of(group.members), distances);
    } else {
      std::vector<std::uint32_t> others;
      for (std::uint32_t i = 0; i < all_.size(); ++i) {
        if (labels[i] != labels[group.members.front()]) {
          others.push_back(i);
        }
      }
      MahalanobisDistance(rows_of(others), width, 1).distances(rows_of(group.members), distances);
    }
    return distances;
  };
  // Molecules without a group are processed together, so that the covariance is read once for all of them.
  const auto single =
      static_cast<std::size_t>(std::find_if(groups.begin(), groups.end(),
                                            [](const Group& group) { return group.members.size() > 1; }) -
                               groups.begin());
  const std::size_t batches = (single + ops::kSideBySide - 1) / ops::kSideBySide;
  parallel_for(batches + groups.size() - single, settings_.threads, [&](std::size_t task) {
    throw_if_cancelled();
    if (task >= batches) {
      const Group& group = groups[single + task - batches];
      const std::vector<float> distances = distances_of(group);
      for (const auto& [part, member] : group.asked) {
        parts[part].mahalanobis = distances[member];
      }
      return;
    }
    const std::size_t first = task * ops::kSideBySide;
    const auto batch = std::span(groups).subspan(first, std::min(ops::kSideBySide, single - first));
    std::vector<std::uint32_t> members;
    for (const Group& group : batch) {
      members.push_back(group.members.front());
    }
    const std::vector<double> white = mahalanobis_->whitened(rows_of(members));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      float distance = 0;
      mahalanobis_->left_out_distances(std::span(white).subspan(i * width, width), {&distance, 1});
      for (const auto& [part, member] : batch[i].asked) {
        parts[part].mahalanobis = distance;
      }
    }
  });
}

std::vector<Reference::Group> Reference::asked_groups(const Queries& queries, std::size_t exclusion) const {
  const GroupLabels& labels = *queries.labels[exclusion];
  std::map<std::uint32_t, Group> by_label;
  std::vector<std::size_t> place_in_group(all_.size());
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    Group& group = by_label[labels[i]];
    place_in_group[i] = group.members.size();
    group.members.push_back(i);
  }
  for (std::size_t i = 0; i < queries.places.size(); ++i) {
    const std::uint32_t place = queries.places[i];
    by_label[labels[place]].asked.emplace_back(i * queries.exclusions() + exclusion, place_in_group[place]);
  }
  std::vector<Group> groups;
  for (auto& [label, group] : by_label) {
    if (!group.asked.empty()) {
      groups.push_back(std::move(group));
    }
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Group& group) { return group.members.size() == 1; });
  return groups;
}

float Reference::score_of(const Parts& parts) const {
  switch (settings_.method) {
    case DomainMethod::combined: {
      const double nearest = scales_.nearest.negative_log_survival(parts.nearest_distance);
      const double all = nearest +
                         kOfCoverage * scales_.coverage.negative_log_survival(parts.coverage_of_two) +
                         kOfFeatures * (scales_.mahalanobis.negative_log_survival(parts.mahalanobis) +
                                        scales_.density.negative_log_survival(parts.density));
      const double most =
          kOfNearest * (nearest + scales_.rarity.negative_log_survival(parts.rarity_of_nearest));
      return static_cast<float>(std::min(all, most) + kOfProperty * parts.property.value);
    }
    case DomainMethod::knn:
      return parts.knn;
    case DomainMethod::tanimoto:
      return parts.tanimoto;
    case DomainMethod::rarity:
      return parts.rarity;
    case DomainMethod::coverage:
      return parts.coverage;
    case DomainMethod::mahalanobis:
      return parts.mahalanobis;
    case DomainMethod::density:
      return parts.density;
  }
  return 0;
}

}  // namespace molgauge::domain
