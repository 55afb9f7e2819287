#include "domain/environment_index.h"

#include <algorithm>
#include <cmath>

namespace headroom::domain {
namespace {

/// The weight of an environment that no reference molecule has. Sums of weights are whole numbers, so that
/// the order of addition does not matter.
constexpr double kFullWeight = 65535;

// A sum of a training molecule holds, in 64 bits: the weights that it shares with the query (32), how many
// environments (16), and the smaller counts of those (16). No molecule of 2000 atoms overflows one of them.
constexpr unsigned kWeightShift = 32, kSharedShift = 16;
constexpr std::uint64_t kLow16 = 0xFFFF;

std::uint32_t weight_of(std::size_t molecules, std::size_t with_it) {
  const double all = static_cast<double>(molecules) + 1;
  const double weight = std::log(all / (static_cast<double>(with_it) + 0.5)) / std::log(all / 0.5);
  return static_cast<std::uint32_t>(std::lround(kFullWeight * std::max(0.0, weight)));
}

/// The k largest numbers so far.
class Largest {
 public:
  explicit Largest(std::size_t k) : k_(k) {}
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
  double mean() {
    std::sort(numbers_.begin(), numbers_.end());
    double sum = 0;
    for (const float number : numbers_) {
      sum += number;
    }
    return numbers_.empty() ? 0 : sum / static_cast<double>(numbers_.size());
  }

 private:
  std::size_t k_;
  std::vector<float> numbers_;
};

/// Keeps the nearest, ties by the molecule's number.
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

struct EnvironmentIndex::QueryTotals {
  std::uint32_t count = 0, weight = 0;
};

EnvironmentIndex::EnvironmentIndex(const EnvironmentLists& molecules, const std::vector<bool>& in_reference,
                                   std::size_t k)
    : k_(k),
      size_(molecules.size()),
      in_reference_(in_reference),
      counts_(molecules.size()),
      weights_(molecules.size()) {
  std::unordered_map<std::uint32_t, std::size_t> with_it;
  std::size_t all = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (const Environment& environment : molecules.of(i)) {
      ++lists_[environment.identifier].last;
      with_it[environment.identifier] += in_reference[i] ? 1 : 0;
    }
    all += molecules.of(i).size();
  }
  const auto reference = static_cast<std::size_t>(std::count(in_reference.begin(), in_reference.end(), true));
  postings_.resize(all);
  std::size_t end = 0;
  for (auto& [identifier, list] : lists_) {
    list.first = end;
    end += list.last;
    list.last = list.first;
    list.weight = weight_of(reference, with_it[identifier]);
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

EnvironmentIndex::QueryTotals EnvironmentIndex::add_up(std::span<const Environment> query,
                                                       std::vector<std::uint64_t>& sums) const {
  QueryTotals totals;
  sums.assign(size_, 0);
  for (const Environment& environment : query) {
    totals.count += environment.count;
    const auto found = lists_.find(environment.identifier);
    if (found == lists_.end()) {
      totals.weight += static_cast<std::uint32_t>(kFullWeight);
      continue;
    }
    const List& list = found->second;
    totals.weight += list.weight;
    const std::uint64_t shared =
        (std::uint64_t{list.weight} << kWeightShift) | (std::uint64_t{1} << kSharedShift);
    for (std::size_t i = list.first; i < list.last; ++i) {
      const Posting posting = postings_[i];
      sums[posting.molecule] += shared + std::min(posting.count, environment.count);
    }
  }
  return totals;
}

EnvironmentScores EnvironmentIndex::compare(std::span<const Environment> query,
                                            std::vector<std::uint64_t>& scratch, std::size_t left_out) const {
  const QueryTotals totals = add_up(query, scratch);
  const auto own = static_cast<float>(std::max<std::size_t>(1, query.size()));
  Largest rarity(k_), coverage(k_);
  EnvironmentScores scores;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == left_out) {
      continue;
    }
    const std::uint64_t sum = scratch[i];
    const auto smaller = static_cast<std::uint32_t>(sum & kLow16);
    const std::uint32_t larger = totals.count + counts_[i] - smaller;
    const float tanimoto = larger == 0 ? 1.0F : static_cast<float>(smaller) / static_cast<float>(larger);
    const float distance = 1 - tanimoto;
    if (scores.nearest_count < kNearestShown || distance < scores.nearest.back().distance) {
      offer({static_cast<std::uint32_t>(i), distance}, scores);
    }
    if (!in_reference_[i]) {
      continue;
    }
    scores.tanimoto = std::min(scores.tanimoto, distance);
    const auto shared_weight = static_cast<std::uint32_t>(sum >> kWeightShift);
    const std::uint32_t either = totals.weight + weights_[i] - shared_weight;
    rarity.offer(either == 0 ? 1.0F : static_cast<float>(shared_weight) / static_cast<float>(either));
    coverage.offer(static_cast<float>((sum >> kSharedShift) & kLow16) / own);
  }
  scores.rarity = static_cast<float>(1 - rarity.mean());
  scores.coverage = static_cast<float>(1 - coverage.mean());
  return scores;
}

}  // namespace headroom::domain
