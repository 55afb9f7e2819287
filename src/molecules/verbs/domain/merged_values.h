#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace molgauge::verbs {

/// Merges the labels of training molecules that occur several times. The results do not depend on the order
/// of the calls of add().
class MergedValues {
 public:
  /// `molecule`: number of the molecule, from 0, in the order of first occurrence. `value`: NaN if the label
  /// is unknown.
  void add(std::size_t molecule, double value);

  /// Whether the labels, before they are merged, have exactly two distinct values.
  bool are_classes() const { return distinct_ == 2; }
  /// The number of molecules that were added.
  std::size_t size() const { return first_.size(); }
  /// Whether a molecule has several different labels.
  bool has_conflict(std::size_t molecule) const;
  /// The known labels of a molecule in ascending order.
  std::vector<double> labels_of(std::size_t molecule) const;
  /// Returns the label of a molecule. For classes, it is the class of most of its labels, or NaN if both
  /// classes occur equally often. For measured values, it is the mean of its labels. NaN without a label.
  double merged(std::size_t molecule) const;

 private:
  void count(double value);

  std::vector<double> first_;  ///< the first known label of each molecule, or NaN
  std::unordered_map<std::size_t, std::vector<double>> further_;  ///< all other known labels
  std::size_t distinct_ = 0;                                      ///< number of distinct labels, at most 3
  double one_ = 0, other_ = 0;                                    ///< two distinct labels
};

}  // namespace molgauge::verbs
