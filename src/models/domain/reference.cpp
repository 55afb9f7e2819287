#include "models/domain/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cancellation.h"
#include "core/random/numpy_random.h"
#include "core/worker_group.h"

namespace headroom::domain {
namespace {

/// Number of queries that a thread processes together. The training set is read from memory once for all of
/// them.
constexpr std::size_t kQueriesAtOnce = 240;
constexpr std::size_t kMembersForScales = 2000;

std::vector<std::uint32_t> numbers_of(const std::vector<bool>& marks, bool mark) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == mark) {
      numbers.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return numbers;
}

double mean_distance(std::span<const Neighbour> nearest, std::size_t k) {
  const std::size_t count = std::min(k, nearest.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += nearest[i].distance;
  }
  return count == 0 ? 1 : sum / static_cast<double>(count);
}

/// Returns -ln of the mean of exp(-d/h) over all members, for queries [least.size(), width] of length 1.
/// `least` contains the smallest distance of each query, which is factored out to avoid underflow.
std::vector<double> surprises_of_density(const CosineSearch& search, std::span<const float> unit_queries,
                                         const std::vector<double>& least, double bandwidth) {
  std::vector<double> sums(least.size(), 0);
  search.for_all_distances(unit_queries, [&](std::size_t query, std::span<const float> distances) {
    double sum = sums[query];
    for (const float distance : distances) {
      sum += std::exp((least[query] - distance) / bandwidth);
    }
    sums[query] = sum;
  });
  for (std::size_t query = 0; query < sums.size(); ++query) {
    sums[query] = least[query] / bandwidth - std::log(sums[query] / static_cast<double>(search.size()));
  }
  return sums;
}

}  // namespace

struct Reference::Parts {
  float knn = 0, tanimoto = 0, rarity = 0, coverage = 0, mahalanobis = 0, density = 0;
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

void Molecules::append(const Molecules& others, std::size_t molecule) {
  width = others.width;
  const auto features_of_it = others.row(molecule);
  features.insert(features.end(), features_of_it.begin(), features_of_it.end());
  environments.append(others.environments.of(molecule));
}

std::size_t neighbours_averaged(std::size_t reference) {
  return static_cast<std::size_t>(std::max(1L, std::lround(std::log10(static_cast<double>(reference)))));
}

Reference::Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings)
    : Reference(all, in_reference, settings, std::optional<Scales>()) {}

Reference::Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings,
                     Scales scales)
    : Reference(all, in_reference, settings, std::optional<Scales>(std::move(scales))) {}

Reference::Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings,
                     std::optional<Scales> scales)
    : settings_(settings),
      reference_(numbers_of(in_reference, true)),
      others_(numbers_of(in_reference, false)),
      k_(neighbours_averaged(reference_.size())) {
  if (uses_features()) {
    search_ = std::make_unique<CosineSearch>(all.features, all.width, reference_);
    if (settings_.shows_nearest && !others_.empty()) {
      other_search_ = std::make_unique<CosineSearch>(all.features, all.width, others_);
    }
  }
  if (uses_environments()) {
    environments_ = std::make_unique<EnvironmentIndex>(all.environments, in_reference, k_);
  }
  if (settings_.method == DomainMethod::mahalanobis) {
    std::vector<float> rows;
    rows.reserve(reference_.size() * all.width);
    for (const std::uint32_t member : reference_) {
      const auto row = all.row(member);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    mahalanobis_ = std::make_unique<MahalanobisDistance>(rows, all.width, settings_.threads);
  }
  scales_ = scales ? std::move(*scales) : scales_of_members(all);
  settings_.progress = nullptr;  // the progress may be destroyed before this object
}

std::size_t Reference::compared_for_scales(std::size_t reference, DomainMethod method) {
  return method == DomainMethod::combined || method == DomainMethod::density
             ? std::min(reference, kMembersForScales)
             : 0;
}

bool Reference::uses_features() const { return !reads_environments_alone(settings_.method); }

bool Reference::uses_environments() const {
  return settings_.method == DomainMethod::combined || reads_environments_alone(settings_.method);
}

Reference::Scales Reference::scales_of_members(const Molecules& all) const {
  const std::size_t compared = compared_for_scales(size(), settings_.method);
  if (compared == 0) {
    return {};
  }
  NumpyRandom random(settings_.seed);
  std::vector<std::size_t> places;
  for (const std::size_t i : random.choose(size(), compared)) {
    places.push_back(reference_[i]);
  }
  const std::vector<Parts> parts = compare(all, places, true, settings_.progress);
  std::vector<float> knn, rarity, coverage;
  for (const Parts& own : parts) {
    knn.push_back(own.knn);
    rarity.push_back(own.rarity);
    coverage.push_back(own.coverage);
  }
  const double mean = std::accumulate(knn.begin(), knn.end(), 0.0) / static_cast<double>(knn.size());
  return {ScoreTail(std::move(knn)), ScoreTail(std::move(rarity)), ScoreTail(std::move(coverage)),
          mean > 0 ? mean : 1};
}

std::vector<ScoredMolecule> Reference::score(const Molecules& molecules, Progress* progress) const {
  std::vector<std::size_t> places(molecules.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<ScoredMolecule> scored;
  scored.reserve(places.size());
  for (const Parts& parts : compare(molecules, places, false, progress)) {
    scored.push_back({score_of(parts), parts.nearest, parts.nearest_count});
  }
  return scored;
}

std::vector<Reference::Parts> Reference::compare(const Molecules& molecules,
                                                 const std::vector<std::size_t>& places,
                                                 bool without_themselves, Progress* progress) const {
  std::vector<Parts> parts(places.size());
  const std::size_t chunks = (places.size() + kQueriesAtOnce - 1) / kQueriesAtOnce;
  parallel_for(chunks, settings_.threads, [&](std::size_t chunk) {
    throw_if_cancelled();
    const std::size_t first = chunk * kQueriesAtOnce, count = std::min(kQueriesAtOnce, places.size() - first);
    const auto own_places = std::span(places).subspan(first, count);
    const auto own_parts = std::span(parts).subspan(first, count);
    if (uses_environments()) {
      compare_environments(molecules, own_places, without_themselves, own_parts);
    }
    if (uses_features()) {
      compare_features(molecules, own_places, without_themselves, own_parts);
    }
    if (progress != nullptr) {
      progress->advance(count);
    }
  });
  return parts;
}

void Reference::compare_environments(const Molecules& molecules, std::span<const std::size_t> places,
                                     bool without_themselves, std::span<Parts> parts) const {
  std::vector<EnvironmentQuery> queries;
  for (const std::size_t place : places) {
    queries.push_back({molecules.environments.of(place), without_themselves ? place : kNoMolecule});
  }
  const std::vector<EnvironmentScores> found = environments_->compare(queries);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const EnvironmentScores& scores = found[i];
    parts[i].tanimoto = scores.tanimoto;
    parts[i].rarity = scores.rarity;
    parts[i].coverage = scores.coverage;
    parts[i].nearest = scores.nearest;
    parts[i].nearest_count = scores.nearest_count;
  }
}

void Reference::compare_features(const Molecules& molecules, std::span<const std::size_t> places,
                                 bool without_themselves, std::span<Parts> parts) const {
  std::vector<float> queries;
  queries.reserve(places.size() * molecules.width);
  for (const std::size_t place : places) {
    const auto row = molecules.row(place);
    queries.insert(queries.end(), row.begin(), row.end());
  }
  // Searches for one additional neighbour, because a molecule of the reference finds itself.
  const std::size_t wanted = std::max(settings_.shows_nearest ? kNearestShown : 1, k_) + 1;
  auto nearest = search_->nearest(queries, wanted);
  std::vector<std::vector<Neighbour>> others(places.size());
  if (other_search_) {
    others = other_search_->nearest(queries, kNearestShown);
  }
  if (settings_.method == DomainMethod::density && scales_.bandwidth > 0) {
    std::vector<double> least;
    least.reserve(nearest.size());
    for (const auto& own : nearest) {
      least.push_back(own.front().distance);
    }
    const std::vector<double> surprises =
        surprises_of_density(*search_, unit_rows(queries, molecules.width), least, scales_.bandwidth);
    for (std::size_t i = 0; i < places.size(); ++i) {
      parts[i].density = static_cast<float>(surprises[i]);
    }
  }
  if (mahalanobis_) {
    std::vector<float> distances(places.size());
    mahalanobis_->distances(queries, distances);
    for (std::size_t i = 0; i < places.size(); ++i) {
      parts[i].mahalanobis = distances[i];
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::vector<Neighbour>& own = nearest[i];
    if (without_themselves) {
      std::erase_if(own, [&](const Neighbour& neighbour) { return neighbour.molecule == places[i]; });
    }
    parts[i].knn = static_cast<float>(mean_distance(own, k_));
    own.insert(own.end(), others[i].begin(), others[i].end());
    std::sort(own.begin(), own.end(), [](const Neighbour& one, const Neighbour& other) {
      return one.distance < other.distance ||
             (one.distance == other.distance && one.molecule < other.molecule);
    });
    parts[i].nearest_count = std::min(own.size(), kNearestShown);
    std::copy_n(own.begin(), parts[i].nearest_count, parts[i].nearest.begin());
  }
}

float Reference::score_of(const Parts& parts) const {
  switch (settings_.method) {
    case DomainMethod::combined:
      return static_cast<float>(scales_.knn.negative_log_survival(parts.knn) +
                                scales_.rarity.negative_log_survival(parts.rarity) +
                                scales_.coverage.negative_log_survival(parts.coverage));
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

}  // namespace headroom::domain
