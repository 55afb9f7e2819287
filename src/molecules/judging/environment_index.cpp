#include "molecules/judging/environment_index.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace molgauge::domain {
namespace {

/// The weight of an environment that no reference molecule has. Sums of weights are integers, so the order of
/// addition does not matter.
constexpr double kFullWeight = 65535;

// Each training molecule has a sum of 64 bits over the environments that it shares with the query: 32 bits
// sum their weights, 16 bits count them, and 16 bits sum the smaller of the two counts of each environment.
// The three parts do not overflow for molecules of up to 2000 atoms.
constexpr unsigned kWeightShift = 32, kSharedShift = 16;
constexpr std::uint64_t kLow16 = 0xFFFF;

std::uint32_t weight_of(std::size_t molecules, std::size_t with_it) {
  const double all = static_cast<double>(molecules) + 1;
  const double weight = std::log(all / (static_cast<double>(with_it) + 0.5)) / std::log(all / 0.5);
  return static_cast<std::uint32_t>(std::lround(kFullWeight * std::max(0.0, weight)));
}

/// Number of molecules that are compared at the same time.
constexpr std::size_t kBlock = 2048;

/// Number of molecules in a call of any_within(), which tests whether any of them can change the result.
constexpr std::size_t kAskedAtOnce = 16;

/// The k largest of the numbers that were offered.
class Largest {
 public:
  explicit Largest(std::size_t k) : k_(k) {}
  /// Numbers up to this limit have no effect on the result.
  float limit() const { return numbers_.size() < k_ ? -1.0F : numbers_.front(); }
  void offer(float number) {
    if (numbers_.size() < k_) {
      numbers_.push_back(number);
      std::push_heap(numbers_.begin(), numbers_.end(), std::greater<>());
    } else if (number > numbers_.front()) {
      std::pop_heap(numbers_.begin(), numbers_.end(), std::greater<>());
      numbers_.back() = number;
      std::push_heap(numbers_.begin(), numbers_.end(), std::greater<>());
    }
  }
  /// Returns the mean of the `count` largest numbers, or of all numbers if there are fewer.
  double mean(std::size_t count) {
    std::sort(numbers_.begin(), numbers_.end(), std::greater<>());
    count = std::min(count, numbers_.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += numbers_[i];
    }
    std::make_heap(numbers_.begin(), numbers_.end(), std::greater<>());
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

 private:
  std::size_t k_;
  std::vector<float> numbers_;
};

/// Inserts the neighbour into scores.nearest if it is one of the nearest. Must be called in ascending order
/// of the molecules. If distances are equal, the molecule with the lower number is nearer.
void offer(Neighbour neighbour, EnvironmentScores& scores) {
  std::size_t place = scores.nearest_count;
  while (place > 0 && neighbour.distance < scores.nearest[place - 1].distance) {
    --place;
  }
  if (place == kNearestShown) {
    return;
  }
  scores.nearest_count = std::min(scores.nearest_count + 1, kNearestShown);
  for (std::size_t i = scores.nearest_count - 1; i > place; --i) {
    scores.nearest[i] = scores.nearest[i - 1];
  }
  scores.nearest[place] = neighbour;
}

}  // namespace

/// The sums of a block of molecules, and the similarities computed from them.
struct EnvironmentIndex::Block {
  std::array<std::uint64_t, kBlock> sums;
  std::array<float, kBlock> distance, rarity, coverage;

  bool any_within(std::size_t first, std::size_t end, float farthest, float least_rarity,
                  float least_coverage) const {
    int found = 0;
    for (std::size_t i = first; i < end; ++i) {
      found |= static_cast<int>(distance[i] < farthest) | static_cast<int>(rarity[i] > least_rarity) |
               static_cast<int>(coverage[i] > least_coverage);
    }
    return found != 0;
  }
};

/// The environments of a query. Each environment has a list of molecules. The query stores the position in
/// each list up to which the sums are computed.
class EnvironmentIndex::Query {
 public:
  Query(const EnvironmentQuery& query, const EnvironmentIndex& index)
      : postings_(index.postings_.data()),
        size_(static_cast<float>(std::max<std::size_t>(1, query.environments.size()))) {
    double known_weight = 0, list_weight = 0;
    for (const Environment& environment : query.environments) {
      count_ += environment.count;
      const auto found = index.lists_.find(environment.identifier);
      if (found == index.lists_.end()) {
        weight_ += weight_of(index.size_ + 1, 1);
        continue;
      }
      const List& list = found->second;
      const std::uint32_t weight = query.is_member ? list.weight : list.new_weight;
      weight_ += weight;
      known_weight += weight;
      list_weight += list.weight;
      wanted_.push_back({list.first, list.last, environment.count,
                         (std::uint64_t{weight} << kWeightShift) | (std::uint64_t{1} << kSharedShift)});
    }
    ratio_ = known_weight > 0 ? static_cast<float>(list_weight / known_weight) : 1;
  }

  /// Computes the sums of `count` molecules from `first` on. Call it once for each block, in ascending order.
  void add_up(std::size_t first, std::size_t count, std::uint64_t* sums) {
    std::fill_n(sums, count, 0);
    for (Wanted& wanted : wanted_) {
      const auto [begin, last, own_count, shared] = wanted;
      std::size_t next = begin;
      for (; next < last && postings_[next].molecule < first + count; ++next) {
        const Posting posting = postings_[next];
        sums[posting.molecule - first] += shared + std::min(posting.count, own_count);
      }
      wanted.next = next;
    }
  }

  std::uint32_t count() const { return count_; }    ///< occurrences of all environments
  std::uint32_t weight() const { return weight_; }  ///< sum of the weights of all environments
  /// The sum of the weights in the index of the known environments, divided by the sum of their weights for
  /// the query.
  float ratio() const { return ratio_; }
  float size() const { return size_; }  ///< number of environments, or 1 for a molecule without environments

 private:
  struct Wanted {
    std::size_t next, last;
    std::uint32_t count;
    std::uint64_t shared;  ///< weight and number to add to the sum of each molecule with this environment
  };
  const Posting* postings_;
  std::vector<Wanted> wanted_;
  float size_, ratio_ = 1;
  std::uint32_t count_ = 0, weight_ = 0;
};

EnvironmentIndex::EnvironmentIndex(const EnvironmentLists& molecules, std::size_t k)
    : k_(k), size_(molecules.size()), counts_(molecules.size()), weights_(molecules.size()) {
  std::size_t all = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (const Environment& environment : molecules.of(i)) {
      ++lists_[environment.identifier].last;
    }
    all += molecules.of(i).size();
  }
  postings_.resize(all);
  std::size_t end = 0;
  for (auto& [identifier, list] : lists_) {
    const std::size_t with_it = list.last;
    list.first = end;
    end += with_it;
    list.last = list.first;
    list.weight = weight_of(size_, with_it);
    list.new_weight = weight_of(size_ + 1, with_it + 1);
  }
  for (std::size_t i = 0; i < size_; ++i) {
    for (const Environment& environment : molecules.of(i)) {
      List& list = lists_[environment.identifier];
      postings_[list.last++] = {static_cast<std::uint32_t>(i), environment.count};
      counts_[i] += environment.count;
      weights_[i] += list.weight;
    }
  }
}

void EnvironmentIndex::compare(const Query& query, std::size_t first, std::size_t count, Block& block) const {
  const std::uint32_t *const counts = counts_.data() + first, *const weights = weights_.data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    const auto smaller = static_cast<std::uint32_t>(block.sums[i] & kLow16);
    const std::uint32_t larger = query.count() + counts[i] - smaller;
    const float tanimoto = static_cast<float>(static_cast<std::int32_t>(smaller)) /
                           static_cast<float>(static_cast<std::int32_t>(larger));
    block.distance[i] = larger == 0 ? 0.0F : 1 - tanimoto;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto shared = static_cast<std::uint32_t>(block.sums[i] >> kWeightShift);
    // The weights of shared environments in weights[i], on average over the environments of the query.
    const auto counted = static_cast<std::int32_t>(
        query.ratio() * static_cast<float>(static_cast<std::int32_t>(shared)) + 0.5F);
    const std::uint32_t either = query.weight() + weights[i] - static_cast<std::uint32_t>(counted);
    const float rarity = static_cast<float>(static_cast<std::int32_t>(shared)) /
                         static_cast<float>(static_cast<std::int32_t>(either));
    block.rarity[i] = either == 0 ? 1.0F : rarity;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto shared = static_cast<std::int32_t>(block.sums[i] >> kSharedShift & kLow16);
    block.coverage[i] = static_cast<float>(shared) / query.size();
  }
}

/// The best similarities of a query under one exclusion.
struct EnvironmentIndex::Best {
  Exclusion exclusion;
  Largest rarity, coverage;
  EnvironmentScores scores = {};
};

void EnvironmentIndex::take_nearer(const Block& block, std::size_t first, std::size_t count, Best& best) {
  auto& [exclusion, rarity, coverage, scores] = best;
  for (std::size_t i = 0; i < count; i += kAskedAtOnce) {
    const std::size_t end = std::min(i + kAskedAtOnce, count);
    const float farthest = scores.nearest_count < kNearestShown ? 2.0F : scores.nearest.back().distance;
    if (!block.any_within(i, end, farthest, rarity.limit(), coverage.limit())) {
      continue;
    }
    for (std::size_t j = i; j < end; ++j) {
      const std::size_t molecule = first + j;
      if (exclusion.leaves_out(molecule)) {
        continue;
      }
      offer({static_cast<std::uint32_t>(molecule), block.distance[j]}, scores);
      rarity.offer(block.rarity[j]);
      coverage.offer(block.coverage[j]);
    }
  }
}

std::vector<EnvironmentScores> EnvironmentIndex::compare(std::span<const EnvironmentQuery> queries) const {
  const std::size_t kept = std::max<std::size_t>(2, k_);
  std::vector<Query> prepared;
  std::vector<Best> bests;
  prepared.reserve(queries.size());
  for (const EnvironmentQuery& query : queries) {
    prepared.emplace_back(query, *this);
    for (const Exclusion& exclusion : query.exclusions) {
      bests.push_back({exclusion, Largest(kept), Largest(kept)});
    }
  }
  Block block;
  for (std::size_t first = 0; first < size_; first += kBlock) {
    const std::size_t count = std::min(kBlock, size_ - first);
    // Processes all queries one after another, while the lists of these molecules are in the cache.
    for (std::size_t i = 0, best = 0; i < queries.size(); ++i) {
      prepared[i].add_up(first, count, block.sums.data());
      compare(prepared[i], first, count, block);
      for (std::size_t j = 0; j < queries[i].exclusions.size(); ++j) {
        take_nearer(block, first, count, bests[best++]);
      }
    }
  }
  std::vector<EnvironmentScores> scores;
  scores.reserve(bests.size());
  for (Best& best : bests) {
    EnvironmentScores& own = scores.emplace_back(best.scores);
    own.tanimoto = own.nearest_count == 0 ? 1 : own.nearest.front().distance;
    own.rarity = static_cast<float>(1 - best.rarity.mean(k_));
    own.rarity_of_nearest = static_cast<float>(1 - best.rarity.mean(1));
    own.coverage = static_cast<float>(1 - best.coverage.mean(k_));
    own.coverage_of_two = static_cast<float>(1 - best.coverage.mean(2));
  }
  return scores;
}

}  // namespace molgauge::domain
