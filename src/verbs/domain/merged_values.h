#pragma once

#include <cstddef>
#include <vector>

namespace headroom::session {

/// Merges the measured values of training molecules that occur several times.
class MergedValues {
 public:
  /// `molecule`: number of the molecule, from 0, in the order of first occurrence. `value`: NaN if the value
  /// is unknown.
  void add(std::size_t molecule, double value);

  /// Returns the mean of the known values of each molecule. The mean is NaN if no value is known.
  std::vector<double> means() const;
  /// The number of molecules with several, different values.
  std::size_t conflicts() const { return ranges().size(); }
  /// The median of (largest - smallest value) over the molecules of conflicts(), or 0 if there are none.
  double median_range() const;

 private:
  struct Values {
    double sum = 0, low = 0, high = 0;
    std::size_t known = 0;
  };
  std::vector<double> ranges() const;
  std::vector<Values> values_;
};

}  // namespace headroom::session
