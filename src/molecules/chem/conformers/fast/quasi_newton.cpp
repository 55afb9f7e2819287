#include "molecules/chem/conformers/fast/quasi_newton.h"

#include <algorithm>
#include <cmath>

namespace molgauge::chem::fast {
namespace {

constexpr std::size_t kMemory = 8;  ///< steps that the limited memory keeps
constexpr double kLongestMove = 2;  ///< angstrom along an axis in one step
constexpr double kFirstMove = 0.1;  ///< angstrom along an axis in the first step
/// The first dense inverse Hessian, in angstrom^2 mol/kcal. It is between the values of stiff bonds and of
/// soft torsions. The usual choice from the first step is near the values of bonds, and needs twice as many
/// steps.
constexpr double kFirstInverse = 0.01;
constexpr double kLeastDecrease = 1e-4;
constexpr double kShortestStep = 1e-7, kStandstill = 1.2e-7, kRoundOff = 3e-8;
/// Relative error of energies, because their pair terms are float32.
constexpr double kEnergyError = 1e-7;
constexpr int kMaxTries = 30;

double largest_size(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) {
    largest = std::max(largest, std::fabs(number));
  }
  return largest;
}

}  // namespace

QuasiNewtonMinimiser::QuasiNewtonMinimiser(std::size_t width, Hessian kind)
    : width_(width),
      kind_(kind),
      next_(width),
      slopes_(width),
      next_slopes_(width),
      direction_(width),
      step_(width),
      change_(width),
      product_(width) {
  if (kind_ == Hessian::dense) {
    matrix_.resize(width * width);
    for (auto* const numbers : {&pending_step_, &pending_product_, &float_slopes_, &float_product_}) {
      numbers->resize(width);
    }
  } else {
    steps_.resize(kMemory * width);
    changes_.resize(kMemory * width);
    inverse_along_.resize(kMemory);
  }
}

void QuasiNewtonMinimiser::forget() {
  is_fresh_ = true;
  stored_ = 0;
  const double steepest = largest_size(slopes_);
  scale_ = steepest > 0 ? std::min(1.0, kFirstMove / steepest) : 1;
  kernels().step(width_, slopes_.data(), scale_ - 1, slopes_.data(), product_.data());
}

bool QuasiNewtonMinimiser::minimise(Energy& energy, std::size_t most_steps, double flat,
                                    std::vector<double>& positions) {
  value_ = energy.evaluate(positions.data(), slopes_.data());
  forget();
  set_direction();
  for (std::size_t step = 0; step < most_steps; ++step) {
    if (search_line(energy, positions) == Search::stuck) {
      if (is_fresh_) {
        return true;
      }
      forget();
      set_direction();
      continue;
    }
    kernels().step(width_, next_.data(), -1, positions.data(), step_.data());
    kernels().step(width_, next_slopes_.data(), -1, slopes_.data(), change_.data());
    positions.swap(next_);
    slopes_.swap(next_slopes_);
    value_ = next_value_;
    const double steepest = kernels().largest_product(width_, slopes_.data(), positions.data());
    if (kernels().largest_ratio(width_, step_.data(), positions.data()) < kStandstill ||
        0.1 * steepest < flat * std::max(0.1 * value_, 1.0)) {
      return true;
    }
    update();
    set_direction();
  }
  return false;
}

QuasiNewtonMinimiser::Search QuasiNewtonMinimiser::search_line(Energy& energy,
                                                               const std::vector<double>& positions) {
  const double slope = kernels().dot(width_, direction_.data(), slopes_.data());
  if (!(slope < 0)) {
    return Search::stuck;
  }
  const double shortest =
      kShortestStep / std::max(kernels().largest_ratio(width_, direction_.data(), positions.data()), 1e-30);
  const double error = kEnergyError * std::max(std::fabs(value_), 1.0);
  double length = 1;
  for (int tries = 0; tries < kMaxTries && length >= shortest; ++tries) {
    kernels().step(width_, positions.data(), length, direction_.data(), next_.data());
    next_value_ = energy.evaluate(next_.data(), next_slopes_.data());
    const double rise = next_value_ - value_;
    if (rise <= kLeastDecrease * length * slope + error) {
      return Search::moved;
    }
    const double excess = rise - length * slope;
    const double lowest = std::isfinite(excess) ? -slope * length * length / (2 * excess) : 0;
    length = std::clamp(lowest, 0.1 * length, 0.5 * length);
  }
  return Search::stuck;
}

/// Sets the direction from the product of the inverse Hessian and the slopes.
void QuasiNewtonMinimiser::set_direction() {
  const double longest = largest_size(product_);
  const double factor = longest > kLongestMove ? kLongestMove / longest : 1;
  for (std::size_t i = 0; i < width_; ++i) {
    direction_[i] = -factor * product_[i];
  }
}

void QuasiNewtonMinimiser::update() {
  const double along = kernels().dot(width_, step_.data(), change_.data());
  const double changed = kernels().dot(width_, change_.data(), change_.data());
  const double moved = kernels().dot(width_, step_.data(), step_.data());
  const bool is_curved = along > std::sqrt(kRoundOff * changed * moved);
  if (is_curved && is_fresh_) {
    scale_ = kind_ == Hessian::dense ? kFirstInverse : along / changed;
    is_fresh_ = false;
    if (kind_ == Hessian::dense) {
      std::fill(matrix_.begin(), matrix_.end(), 0.0F);
      for (std::size_t i = 0; i < width_; ++i) {
        matrix_[i * width_ + i] = static_cast<float>(scale_);
      }
      pending_a_ = pending_b_ = 0;
      // The product with the slopes before the step, as if the matrix had been the same then.
      kernels().step(width_, slopes_.data(), -1, change_.data(), product_.data());
      for (double& number : product_) {
        number *= scale_;
      }
    }
  }
  if (is_fresh_) {
    forget();
  } else if (kind_ == Hessian::dense) {
    update_dense(is_curved ? along : 0);
  } else {
    update_limited(is_curved ? along : 0);
  }
}

/// H' = H + a s s' + b (s p' + p s') with p = H y. The matrix is changed in the next product. Until then, the
/// change is added to the product.
void QuasiNewtonMinimiser::update_dense(double along) {
  std::copy(slopes_.begin(), slopes_.end(), float_slopes_.begin());
  kernels().change_and_multiply({width_, matrix_.data()},
                                {pending_step_.data(), pending_product_.data(), pending_a_, pending_b_},
                                float_slopes_.data(), float_product_.data());
  pending_a_ = pending_b_ = 0;
  double of_change = 0;
  for (std::size_t i = 0; i < width_; ++i) {
    const double product = static_cast<double>(float_product_[i]);
    pending_product_[i] = static_cast<float>(product - product_[i]);
    of_change += (product - product_[i]) * change_[i];
    product_[i] = product;
  }
  if (along == 0) {
    return;
  }
  const double a = (1 + of_change / along) / along, b = -1 / along;
  const double step_slope = kernels().dot(width_, step_.data(), slopes_.data());
  double product_slope = 0;
  for (std::size_t i = 0; i < width_; ++i) {
    product_slope += static_cast<double>(pending_product_[i]) * slopes_[i];
  }
  for (std::size_t i = 0; i < width_; ++i) {
    product_[i] += (a * step_slope + b * product_slope) * step_[i] +
                   b * step_slope * static_cast<double>(pending_product_[i]);
    pending_step_[i] = static_cast<float>(step_[i]);
  }
  pending_a_ = static_cast<float>(a);
  pending_b_ = static_cast<float>(b);
}

void QuasiNewtonMinimiser::update_limited(double along) {
  if (along > 0) {
    newest_ = stored_ == 0 ? 0 : (newest_ + 1) % kMemory;
    stored_ = std::min(stored_ + 1, kMemory);
    std::copy(step_.begin(), step_.end(), steps_.begin() + static_cast<std::ptrdiff_t>(newest_ * width_));
    std::copy(change_.begin(), change_.end(),
              changes_.begin() + static_cast<std::ptrdiff_t>(newest_ * width_));
    inverse_along_[newest_] = 1 / along;
    scale_ = along / kernels().dot(width_, change_.data(), change_.data());
  }
  product_ = slopes_;
  double factors[kMemory];
  for (std::size_t k = 0; k < stored_; ++k) {
    const std::size_t at = (newest_ + kMemory - k) % kMemory;
    factors[at] = inverse_along_[at] * kernels().dot(width_, &steps_[at * width_], product_.data());
    kernels().step(width_, product_.data(), -factors[at], &changes_[at * width_], product_.data());
  }
  for (double& number : product_) {
    number *= scale_;
  }
  for (std::size_t k = stored_; k-- > 0;) {
    const std::size_t at = (newest_ + kMemory - k) % kMemory;
    const double back = inverse_along_[at] * kernels().dot(width_, &changes_[at * width_], product_.data());
    kernels().step(width_, product_.data(), factors[at] - back, &steps_[at * width_], product_.data());
  }
}

}  // namespace molgauge::chem::fast
