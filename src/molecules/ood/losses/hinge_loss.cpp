#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

/// The values u or v of the ID or OOD energies. Let u = a - c and v = c - b for ID energies a and OOD
/// energies b. The constant c is near the energies, to reduce cancellation. The hinge of a pair is then
/// h = max(0, margin + u + v). This formula is symmetric in u and v.
struct Group {
  std::vector<std::size_t> order;       ///< for each value in sorted order, its index in the input
  std::vector<double> value;            ///< values in descending order
  std::vector<double> sum, square_sum;  ///< sums of the first k values, for k = 0 .. size
};

Group sorted_group(std::span<const float> energies, double centre, double sign) {
  Group group;
  const std::size_t count = energies.size();
  group.order.resize(count);
  std::iota(group.order.begin(), group.order.end(), std::size_t{0});
  std::sort(group.order.begin(), group.order.end(),
            [&](std::size_t x, std::size_t y) { return sign * energies[x] > sign * energies[y]; });
  group.value.resize(count);
  group.sum.resize(count + 1);
  group.square_sum.resize(count + 1);
  for (std::size_t k = 0; k < count; ++k) {
    const double value = sign * (energies[group.order[k]] - centre);
    group.value[k] = value;
    group.sum[k + 1] = group.sum[k] + value;
    group.square_sum[k + 1] = group.square_sum[k] + value * value;
  }
  return group;
}

/// Calls visit(i, k) for every u_i in descending order. k is the number of v for which accept(u_i + v) is
/// true. `accept` must be true for all sums above some limit and false below it. Each u_i therefore accepts
/// the k largest v.
template <typename Accept, typename Visit>
void for_each_prefix(const Group& u, const Group& v, Accept accept, Visit visit) {
  std::size_t k = v.value.size();
  for (std::size_t i = 0; i < u.value.size(); ++i) {
    while (k > 0 && !accept(u.value[i] + v.value[k - 1])) {
      --k;
    }
    visit(i, k);
  }
}

std::uint64_t count_at_least(const Group& u, const Group& v, double threshold) {
  std::uint64_t count = 0;
  for_each_prefix(
      u, v, [&](double pair) { return pair >= threshold; }, [&](std::size_t, std::size_t k) { count += k; });
  return count;
}

/// Converts a double to an integer. The integers have the same order as the doubles.
std::uint64_t to_ordered(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double from_ordered(std::uint64_t ordered) {
  return std::bit_cast<double>((ordered >> 63) != 0 ? ordered & ~(std::uint64_t{1} << 63) : ~ordered);
}

/// Returns the k-th largest of all sums u_i + v_j. It is the largest number t such that at least k sums are
/// >= t. A binary search over all doubles finds it with at most 64 counts, each in O(n + m).
double kth_largest_pair(const Group& u, const Group& v, std::uint64_t k) {
  std::uint64_t low = to_ordered(u.value.back() + v.value.back());
  std::uint64_t high = to_ordered(u.value.front() + v.value.front());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2 + 1;
    if (count_at_least(u, v, from_ordered(middle)) >= k) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return from_ordered(low);
}

/// The pairs that count in the loss: all pairs with u + v above `threshold`, and the fraction `tie_share` of
/// each pair with u + v equal to `threshold`.
struct Selection {
  double threshold = 0;
  double tie_share = 0;
  double averaged_over = 0;
};

Selection select_pairs(const Group& u, const Group& v, const HingeOptions& options) {
  const double pairs = static_cast<double>(u.value.size()) * static_cast<double>(v.value.size());
  Selection selection{-options.margin, 0, pairs};
  if (options.topk <= 0) {
    return selection;
  }
  const auto k = static_cast<std::uint64_t>(std::max(1.0, std::floor(pairs * std::min(options.topk, 1.0))));
  selection.averaged_over = static_cast<double>(k);
  const double kth = kth_largest_pair(u, v, k);
  if (kth <= -options.margin) {
    return selection;  // the k largest include pairs with a hinge of 0
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto above = count_at_least(u, v, std::nextafter(kth, kInfinity));
  const auto tied = count_at_least(u, v, kth) - above;
  selection.threshold = kth;
  selection.tie_share = static_cast<double>(k - above) / static_cast<double>(tied);
  return selection;
}

/// Returns the derivative of the loss with respect to every u, in input order. Adds the loss to `value`
/// unless `value` is null.
std::vector<double> gradient_of(const Group& u, const Group& v, const Selection& selection,
                                const HingeOptions& options, double* value) {
  std::vector<std::size_t> above(u.value.size());
  for_each_prefix(
      u, v, [&](double pair) { return pair > selection.threshold; },
      [&](std::size_t i, std::size_t k) { above[i] = k; });
  std::vector<double> gradient(u.value.size());
  const auto visit = [&](std::size_t i, std::size_t reaching) {
    const auto blend = [&](double sum_above, double sum_reaching) {
      return sum_above + selection.tie_share * (sum_reaching - sum_above);
    };
    const double count = blend(static_cast<double>(above[i]), static_cast<double>(reaching));
    const double sum = blend(v.sum[above[i]], v.sum[reaching]);
    const double offset = options.margin + u.value[i];
    const double hinges = count * offset + sum;
    gradient[u.order[i]] = (options.squared ? 2 * hinges : count) / selection.averaged_over;
    if (value != nullptr) {
      const double squares = blend(v.square_sum[above[i]], v.square_sum[reaching]);
      const double row = options.squared ? offset * (count * offset + 2 * sum) + squares : hinges;
      *value += row / selection.averaged_over;
    }
  };
  for_each_prefix(
      u, v, [&](double pair) { return pair >= selection.threshold; }, visit);
  return gradient;
}

}  // namespace

LossTerm hinge_loss(std::span<const float> id, std::span<const float> ood, const HingeOptions& options) {
  const double centre = ood.front();
  const Group u = sorted_group(id, centre, 1.0);
  const Group v = sorted_group(ood, centre, -1.0);
  const Selection selection = select_pairs(u, v, options);
  LossTerm term;
  term.id_gradient = gradient_of(u, v, selection, options, &term.value);
  term.ood_gradient = gradient_of(v, u, selection, options, nullptr);
  for (double& gradient : term.ood_gradient) {
    gradient = -gradient;  // v = c - b
  }
  return term;
}

}  // namespace molgauge::ood
