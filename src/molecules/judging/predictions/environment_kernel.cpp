#include "molecules/judging/predictions/environment_kernel.h"

#include <algorithm>

#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kFits = KernelRidge::kFits, kRowsAtOnce = 64, kMaxIterations = 1000;
constexpr double kSolverResidual = 1e-6;

using FitColumns = std::vector<std::array<double, kFits>>;

/// A matrix of similarities whose diagonal is increased by the penalty. A fit ignores the molecules of its
/// fold.
struct System {
  std::span<const float> kernel;
  std::span<const std::size_t> fold_of;
  std::size_t threads = 1;

  std::size_t size() const { return fold_of.size(); }

  /// The product with each column. Every number is summed in the order of the molecules.
  FitColumns times(const FitColumns& columns) const {
    FitColumns products(size());
    const std::size_t blocks = (size() + kRowsAtOnce - 1) / kRowsAtOnce;
    parallel_for(blocks, threads, [&](std::size_t block) {
      const std::size_t end = std::min(size(), (block + 1) * kRowsAtOnce);
      for (std::size_t i = block * kRowsAtOnce; i < end; ++i) {
        const float* const row = &kernel[i * size()];
        std::array<double, kFits> sums{};
        for (std::size_t j = 0; j < size(); ++j) {
          const auto similarity = static_cast<double>(row[j]);
          for (std::size_t fit = 0; fit < kFits; ++fit) {
            sums[fit] += similarity * columns[j][fit];
          }
        }
        for (std::size_t fit = 0; fit < kFits; ++fit) {
          products[i][fit] = fold_of[i] == fit ? 0 : sums[fit] + KernelRidge::kPenalty * columns[i][fit];
        }
      }
    });
    return products;
  }
};

std::array<double, kFits> dot_products(const FitColumns& one, const FitColumns& other) {
  std::array<double, kFits> sums{};
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      sums[fit] += one[i][fit] * other[i][fit];
    }
  }
  return sums;
}

/// Adds factors[fit] times `added` to `columns`.
void add_multiple(FitColumns& columns, const std::array<double, kFits>& factors, const FitColumns& added) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      columns[i][fit] += factors[fit] * added[i][fit];
    }
  }
}

/// Solves the equations of all fits together, so that the kernel is read once in each iteration.
FitColumns conjugate_gradients(const System& system, FitColumns right) {
  FitColumns solution(system.size()), residual = std::move(right), direction = residual;
  std::array<double, kFits> squares = dot_products(residual, residual), limits{};
  for (std::size_t fit = 0; fit < kFits; ++fit) {
    limits[fit] = kSolverResidual * kSolverResidual * squares[fit];
  }
  for (std::size_t iteration = 0; iteration < kMaxIterations; ++iteration) {
    throw_if_cancelled();
    const FitColumns products = system.times(direction);
    const std::array<double, kFits> curvatures = dot_products(direction, products);
    std::array<double, kFits> steps{}, back{}, turns{};
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      steps[fit] = squares[fit] > limits[fit] && curvatures[fit] > 0 ? squares[fit] / curvatures[fit] : 0;
      back[fit] = -steps[fit];
    }
    if (std::all_of(steps.begin(), steps.end(), [](double step) { return step == 0; })) {
      break;
    }
    add_multiple(solution, steps, direction);
    add_multiple(residual, back, products);
    const std::array<double, kFits> next = dot_products(residual, residual);
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      turns[fit] = squares[fit] > 0 ? next[fit] / squares[fit] : 0;
      squares[fit] = next[fit];
    }
    for (std::size_t i = 0; i < direction.size(); ++i) {
      for (std::size_t fit = 0; fit < kFits; ++fit) {
        direction[i][fit] = residual[i][fit] + turns[fit] * direction[i][fit];
      }
    }
  }
  return solution;
}

}  // namespace

EnvironmentKernel::EnvironmentKernel(const EnvironmentLists& molecules) {
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    std::uint32_t total = 0;
    for (const Environment& own : molecules.of(i)) {
      postings_[own.identifier].push_back({static_cast<std::uint32_t>(i), own.count});
      total += own.count;
    }
    totals_.push_back(total);
  }
}

std::vector<float> EnvironmentKernel::similarities(std::span<const Environment> query) const {
  std::vector<std::uint32_t> shared(size());
  std::uint32_t total = 0;
  for (const Environment& own : query) {
    total += own.count;
    const auto found = postings_.find(own.identifier);
    if (found == postings_.end()) {
      continue;
    }
    for (const Posting& posting : found->second) {
      shared[posting.molecule] += std::min(posting.count, own.count);
    }
  }
  std::vector<float> similarities(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::uint32_t either = total + totals_[i] - shared[i];
    similarities[i] = either == 0 ? 1.0F : static_cast<float>(shared[i]) / static_cast<float>(either);
  }
  return similarities;
}

KernelRidge::KernelRidge(std::span<const float> kernel, std::span<const double> values,
                         std::span<const std::size_t> fold_of, std::size_t threads)
    : out_of_fold_(values.size()) {
  const System system{kernel, fold_of, threads};
  std::array<double, kFits> counts{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      if (fold_of[i] != fit) {
        means_[fit] += values[i];
        ++counts[fit];
      }
    }
  }
  for (std::size_t fit = 0; fit < kFits; ++fit) {
    means_[fit] /= std::max(counts[fit], 1.0);
  }
  FitColumns right(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t fit = 0; fit < kFits; ++fit) {
      right[i][fit] = fold_of[i] == fit ? 0 : values[i] - means_[fit];
    }
  }
  coefficients_ = conjugate_gradients(system, std::move(right));
  parallel_for(values.size(), threads, [&](std::size_t i) {
    const std::size_t fit = fold_of[i];
    double sum = means_[fit];
    for (std::size_t j = 0; j < values.size(); ++j) {
      sum += static_cast<double>(kernel[i * values.size() + j]) * coefficients_[j][fit];
    }
    out_of_fold_[i] = sum;
  });
}

}  // namespace molgauge::domain
