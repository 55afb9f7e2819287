// Compiled without fused multiply-adds, because they round differently (CMakeLists.txt).

#include "molecules/chem/conformers/minimiser.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <ForceField/ForceField.h>

#include "molecules/chem/conformers/inverse_hessian.h"

namespace molgauge::chem {
namespace {

using Numbers = std::vector<double>;

// The constants have the values of RDKit.
constexpr double kLongestStep = 100;  ///< length, in units of the norm of the positions
constexpr double kLeastDecrease =
    1e-4;  ///< decrease of the energy, as a share of the decrease that the slope predicts
constexpr double kShortestStep = 1e-7;  ///< length, relative to the positions
constexpr double kRoundOff = 3e-8;      ///< relative rounding error
constexpr double kStandstill = 4 * kRoundOff;
constexpr double kGradientScale = 0.1, kSteepestGradient = 10;
constexpr int kMaxTries = 1000;  ///< maximum number of step lengths in one direction

double dot(const Numbers& one, const Numbers& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sum += one[i] * other[i];
  }
  return sum;
}

/// The largest change of a coordinate, relative to the coordinate. For coordinates below 1, the change is
/// absolute.
double relative_change(const Numbers& change, const Numbers& positions) {
  double largest = 0;
  for (std::size_t i = 0; i < change.size(); ++i) {
    const double one = std::fabs(change[i]) / std::max(std::fabs(positions[i]), 1.0);
    if (one > largest) {
      largest = one;
    }
  }
  return largest;
}

/// A step length that was tried. `excess`: the energy at this length, minus the energy that a linear
/// extrapolation predicts.
struct Trial {
  double length = 0, excess = 0;
};

/// Returns the minimum of the cubic polynomial that passes through both trials and has the given slope at 0.
double lowest_of_cubic(const Trial& last, const Trial& before, double slope) {
  const double last_squared = last.length * last.length, before_squared = before.length * before.length;
  const double apart = last.length - before.length;
  const double a = (last.excess / last_squared - before.excess / before_squared) / apart;
  const double b =
      (-before.length * last.excess / last_squared + last.length * before.excess / before_squared) / apart;
  if (a == 0) {
    return -slope / (2 * b);
  }
  const double discriminant = b * b - 3 * a * slope;
  if (discriminant < 0) {
    return 0.5 * last.length;
  }
  return b <= 0 ? (-b + std::sqrt(discriminant)) / (3 * a) : -slope / (b + std::sqrt(discriminant));
}

class Descent {
 public:
  Descent(ForceFields::ForceField& field, double flat)
      : field_(field),
        flat_(flat),
        width_(static_cast<std::size_t>(field.numPoints()) * field.dimension()),
        hessian_(width_),
        positions_(width_),
        next_(width_),
        gradient_(width_),
        direction_(width_),
        change_(width_),
        product_(width_) {
    auto number = positions_.begin();
    for (const RDGeom::Point* const point : field.positions()) {
      for (unsigned axis = 0; axis < field.dimension(); ++axis) {
        *number++ = (*point)[axis];
      }
    }
  }

  bool come_to_rest(std::size_t most_steps) {
    energy_ = field_.calcEnergy(positions_.data());
    differentiate();
    for (std::size_t i = 0; i < width_; ++i) {
      direction_[i] = -gradient_[i];
    }
    longest_ = kLongestStep * std::max(std::sqrt(dot(positions_, positions_)), static_cast<double>(width_));
    for (std::size_t step = 0; step < most_steps; ++step) {
      if (!go()) {
        return true;
      }
    }
    return false;
  }

  void write_positions() const {
    auto number = positions_.begin();
    for (RDGeom::Point* const point : field_.positions()) {
      for (unsigned axis = 0; axis < field_.dimension(); ++axis) {
        (*point)[axis] = *number++;
      }
    }
  }

 private:
  /// Computes the gradient at the positions, multiplied by the returned factor. The factor reduces a steep
  /// gradient, because a long step could cross the next maximum. The scaled gradient determines only search
  /// directions.
  double differentiate() {
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    field_.calcGrad(positions_.data(), gradient_.data());
    double steepest = -1e8, scale = kGradientScale;
    for (double& slope : gradient_) {
      slope *= scale;
      if (slope > steepest) {
        steepest = slope;
      }
    }
    if (steepest > kSteepestGradient) {
      while (steepest * scale > kSteepestGradient) {
        scale *= 0.5;
      }
      for (double& slope : gradient_) {
        slope *= scale;
      }
    }
    return scale;
  }

  /// Searches along the direction. Sets `next_` and its energy.
  void search_line() {
    const double length = std::sqrt(dot(direction_, direction_));
    if (length > longest_) {
      for (double& one : direction_) {
        one *= longest_ / length;
      }
    }
    const double slope = dot(direction_, gradient_);
    if (slope >= 0) {
      throw std::runtime_error("the force field found no lower energy");
    }
    const double begin = energy_, shortest = kShortestStep / relative_change(direction_, positions_);
    Trial trial{.length = 1}, before;
    for (int tries = 0; tries < kMaxTries && !(trial.length < shortest); ++tries) {
      for (std::size_t i = 0; i < width_; ++i) {
        next_[i] = positions_[i] + trial.length * direction_[i];
      }
      energy_ = field_.calcEnergy(next_.data());
      if (energy_ - begin <= kLeastDecrease * trial.length * slope) {
        return;
      }
      trial.excess = energy_ - begin - trial.length * slope;
      double shorter =
          tries == 0 ? -slope / (2 * (energy_ - begin - slope)) : lowest_of_cubic(trial, before, slope);
      if (tries > 0 && shorter > 0.5 * trial.length) {
        shorter = 0.5 * trial.length;
      }
      before = trial;
      trial.length = std::max(shorter, 0.1 * trial.length);
    }
    if (!(trial.length < shortest)) {
      throw std::runtime_error("the force field found no lower energy");
    }
    next_ = positions_;
  }

  /// Makes one step. Returns false if the positions have converged.
  bool go() {
    search_line();
    for (std::size_t i = 0; i < width_; ++i) {
      direction_[i] = next_[i] - positions_[i];
    }
    positions_ = next_;
    if (relative_change(direction_, positions_) < kStandstill) {
      return false;
    }
    change_ = gradient_;
    const double scale = differentiate();
    double steepest = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      steepest = std::max(steepest, std::fabs(gradient_[i]) * std::max(std::fabs(positions_[i]), 1.0));
      change_[i] = gradient_[i] - change_[i];
    }
    if (steepest / std::max(energy_ * scale, 1.0) < flat_) {
      return false;
    }
    improve_hessian();
    hessian_.multiply(gradient_, direction_);
    for (double& one : direction_) {
      one = -one;
    }
    return true;
  }

  void improve_hessian() {
    hessian_.multiply(change_, product_);
    const double along = dot(change_, direction_), curved = dot(change_, product_);
    if (!(along > std::sqrt(kRoundOff * dot(change_, change_) * dot(direction_, direction_)))) {
      return;
    }
    const double of_step = 1 / along, of_product = 1 / curved;
    for (std::size_t i = 0; i < width_; ++i) {
      change_[i] = of_step * direction_[i] - of_product * product_[i];
    }
    hessian_.update({.step = direction_,
                     .product = product_,
                     .curvature = change_,
                     .of_step = of_step,
                     .of_product = of_product,
                     .of_curvature = curved});
  }

  ForceFields::ForceField& field_;
  double flat_;
  std::size_t width_;
  InverseHessian hessian_;
  Numbers positions_, next_, gradient_;
  Numbers direction_;  ///< direction of the next step. After the line search, the step itself
  Numbers change_;     ///< change of the gradient
  Numbers product_;    ///< product of the inverse Hessian and `change_`
  double energy_ = 0, longest_ = 0;
};

}  // namespace

bool minimise(ForceFields::ForceField& field, std::size_t most_steps, double flat) {
  if (field.contribs().empty()) {
    return true;
  }
  Descent descent(field, flat);
  const bool is_at_rest = descent.come_to_rest(most_steps);
  descent.write_positions();
  return is_at_rest;
}

}  // namespace molgauge::chem
