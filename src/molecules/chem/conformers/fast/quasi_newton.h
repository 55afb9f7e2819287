#pragma once

#include <cstddef>
#include <vector>

#include "molecules/chem/conformers/fast/energies.h"

namespace molgauge::chem::fast {

/// How a minimiser stores the inverse Hessian.
enum class Hessian {
  dense,    ///< BFGS: a matrix. Fewer steps
  limited,  ///< L-BFGS: the last steps. Cheaper steps
};

/// Minimises energies of one width (Nocedal and Wright, Numerical Optimization, chapters 6 and 7). Memory is
/// allocated once.
class QuasiNewtonMinimiser {
 public:
  QuasiNewtonMinimiser(std::size_t width, Hessian kind);

  /// Moves the positions downhill for at most `most_steps` steps. Returns whether they converged: no slope,
  /// relative to positions and energy, exceeds `flat`. minimise() uses the same measure
  /// (molecules/chem/conformers/minimiser.h).
  bool minimise(Energy& energy, std::size_t most_steps, double flat, std::vector<double>& positions);
  /// The energy at the last positions.
  double lowest() const { return value_; }

 private:
  enum class Search { moved, stuck };
  Search search_line(Energy& energy, const std::vector<double>& positions);
  void update();
  void update_dense(double along);
  void update_limited(double along);
  void set_direction();
  void forget();

  std::size_t width_;
  Hessian kind_;
  std::vector<double> next_, slopes_, next_slopes_, direction_, step_, change_;
  double value_ = 0, next_value_ = 0;
  bool is_fresh_ = true;  ///< the inverse Hessian is a multiple of the identity
  // Dense: the matrix, and a change that is not applied yet.
  AlignedVector<float> matrix_, pending_step_, pending_product_, float_slopes_, float_product_;
  std::vector<double> product_;  ///< inverse Hessian * slopes_
  float pending_a_ = 0, pending_b_ = 0;
  // Limited memory: rings of the last steps and changes of the slopes.
  std::vector<double> steps_, changes_, inverse_along_;
  std::size_t stored_ = 0, newest_ = 0;
  double scale_ = 1;
};

}  // namespace molgauge::chem::fast
