#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/judging/known_parts.h"
#include "molecules/judging/reference.h"
#include "molecules/judging/training_match.h"

namespace molgauge::domain {

/// Data of training molecules that pages and messages show. Molecules contains the data that are compared.
/// Each list has one entry for each molecule.
struct TrainingNotes {
  std::vector<std::string> names, smiles, scaffolds;
  std::vector<std::string> canonical_smiles;  ///< canonical SMILES of the standardised molecules
  std::vector<FormKeys> keys;
  KnownParts known;
};

/// Training molecules that have the same standardised form, and were merged into the first of them.
struct MergedMolecules {
  std::size_t redrawn = 0;  ///< merged molecules that are drawn differently from the first molecule
};

/// A training molecule with several different labels.
struct LabelConflict {
  std::string name, smiles;
  std::vector<double> labels;  ///< labels of all its records, in ascending order
  double used = 0;             ///< the merged label; NaN for classes without a majority
};

/// Censored labels, such as ">10", which were left out.
struct CensoredCount {
  std::size_t count = 0;
  std::string first;  ///< the first one, as written
};

/// The treatment of the labels of a training set.
struct LabelNotes {
  static constexpr std::size_t kListed = 100;

  /// Whether the labels had exactly two distinct values before molecules were merged. Labels of a molecule
  /// are then merged to the class of the majority, otherwise to their mean.
  bool are_classes = false;
  std::size_t conflicts = 0;  ///< molecules with several different labels
  std::size_t ties = 0;       ///< molecules with both classes equally often, which have no label
  double median_range = 0;    ///< median of (largest - smallest value) of measured values over the molecules
                              ///< of `conflicts`, or 0 for classes
  std::vector<LabelConflict> listed;      ///< the first kListed molecules of `conflicts`
  CensoredCount censored;                 ///< labels of training molecules
  CensoredCount censored_in_calibration;  ///< measured values of calibration molecules
};

struct TrainingSet {
  Molecules molecules;
  TrainingNotes notes;
  std::vector<double> values;  ///< merged values of --label-column, NaN for missing ones; empty without the
                               ///< option
  std::size_t duplicates = 0;  ///< molecules that were merged with an earlier one
  MergedMolecules merged;
  LabelNotes labels;
  std::size_t failed = 0;
};

}  // namespace molgauge::domain
