#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/decision.h"
#include "molgauge/properties.h"

/// Requests and results for molecules in memory, without files.
namespace molgauge {

/// Molecules in memory instead of a file. Error messages count rows from 1, like the lines of a file.
struct MoleculeTable {
  /// A column of numbers, one for each molecule. NaN stands for a missing number.
  struct Numbers {
    std::string name;
    std::vector<double> values;
  };
  /// A column of text, one for each molecule. Only a label column may be text.
  struct Texts {
    std::string name;
    std::vector<std::string> values;
  };

  std::vector<std::string> smiles;
  /// One for each molecule. If empty, the names are "row 0", "row 1", ...
  std::vector<std::string> names = {};
  std::vector<Numbers> numbers = {};
  std::vector<Texts> texts = {};
};

/// Draws one molecule.
struct DepictRequest {
  std::string smiles;
  int width = 240, height = 180;        ///< size in the units of the drawing, from 16 to 2,000
  std::vector<std::size_t> atoms = {};  ///< atoms to colour, counted from 0 in the order of the SMILES
  /// Also colour the atoms of this structural alert (names as in MoleculeProperties). A molecule without the
  /// alert is a UsageError.
  std::string alert = {};
  /// Return a mol block (V2000) with 2D coordinates instead of an SVG element.
  bool as_mol_block = false;
};

/// The features of the atoms of molecules in memory.
struct AtomFeatures {
  std::vector<float> rows;          ///< row-major [atoms of all molecules, width of the encoder]
  std::vector<std::size_t> counts;  ///< number of atoms of each molecule; 0 if the molecule failed
};

/// The 3D coordinates of one molecule.
struct InMemoryConformer {
  /// One atom (hydrogens are included) and its coordinates in angstrom.
  struct Atom {
    std::string symbol;
    double x = 0, y = 0, z = 0;
  };
  /// A record of an .sdf, including its last line "$$$$". Empty if the molecule failed.
  std::string mol_block;
  std::vector<Atom> atoms;  ///< atoms in the order of AtomFeatures; empty if the molecule failed
  std::string reason;       ///< why the molecule failed. Empty if it did not fail
};

/// The output of your model for one molecule. NaN stands for a missing number.
struct InMemoryPrediction {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< the prediction. For classes, the probability
                                                            ///< of class 1
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  double lower = std::numeric_limits<double>::quiet_NaN();  ///< the predicted lower and upper quantile
  double upper = std::numeric_limits<double>::quiet_NaN();
};

/// The calibrated interval or set for a prediction (docs/explanation/predictions.md). Numbers are NaN if they
/// could not be computed.
struct JudgedPrediction {
  double lower = 0, upper = 0;  ///< regression: bounds of the interval; NaN for classes
  std::string set;  ///< classes: "0", "1", "0 1" or "none"; empty for regression or if there is no set
  double probability_lower = 0,
         probability_upper = 0;  ///< classes: bounds of the probability of class 1; NaN for regression
  double expected_error = 0;
  /// Whether the molecule meets the conditions of the coverage (docs/explanation/predictions.md).
  bool meets_conditions = false;
  std::string reason;  ///< why a condition is not met or there is no result; empty if `meets_conditions`
  /// The main reason for a large expected error. Empty if no reason makes the error larger than usual.
  std::string doubt;
};

/// The calibration of predictions in a saved domain.
struct StoredCalibration {
  bool are_classes = false;
  /// Column names. If a name is empty, the calibration did not use such a column.
  std::string prediction, uncertainty, lower, upper;
};

/// The comparison of a molecule with the training molecules of a saved domain. Numbers are NaN if the
/// molecule is unreadable.
struct JudgedMolecule {
  Decision decision = Decision::drop;
  std::string decision_reason;  ///< why the decision is not `use`. Empty if it is
  Verdict verdict = Verdict::unreadable;
  /// The reason why the molecule is unreadable, or remarks about a readable molecule, as in `domain_reason`.
  std::string reason;
  std::string smiles;               ///< canonical SMILES of the molecule as drawn
  std::string standardized_smiles;  ///< canonical SMILES of the standardised molecule, which is compared
  double p_value = 0;
  double q_value = 0;         ///< p-value after the Benjamini-Hochberg correction for the whole list
  double p_new_scaffold = 0;  ///< p-value among molecules without their scaffold; NaN if there are none
  double p_range = 0;         ///< p-value of the most unusual property
  double distance = 0;        ///< distance to the training set, by the method of the domain
  /// Expected error of a prediction at this distance, from the error curve of the label column. NaN if the
  /// domain has no label column.
  double expected_error = 0;
  double percentile = 0;     ///< percentage of left-out training molecules that are not farther away
  bool in_training = false;  ///< the molecule equals a training molecule after standardisation
  /// The kind of the match with a training molecule. `tautomer` occurs only with --standardize tautomer.
  MatchKind training_match = MatchKind::none;
  /// Name and SMILES of the matching training molecule.
  std::string training_match_name, training_match_smiles;
  std::string scaffold;  ///< Murcko scaffold; empty if the molecule has no rings
  bool scaffold_in_training = false;
  std::vector<std::size_t> foreign_atoms;  ///< atoms of unfamiliar substructures, in the order of the input
  std::vector<std::string> foreign;        ///< descriptions of substructures that no training molecule has
  std::vector<std::string> foreign_elements, foreign_rings;
  std::string foreign_size, foreign_log_p,
      foreign_charge;  ///< properties in words; empty if similar to the training molecules
  struct Neighbour {
    std::string name, smiles;
    double tanimoto = 0, distance = 0;
    double value = 0;  ///< measured value; NaN if the value is missing or the domain has no label column
  };
  std::vector<Neighbour> nearest;  ///< training molecules, nearest first, three at most
  /// Not set if there is no prediction or the molecule is unreadable.
  std::optional<JudgedPrediction> prediction;
  /// Not set without `describe`, or if the molecule is unreadable.
  std::optional<MoleculeProperties> properties;
};

/// The results for a list of molecules. Each result depends only on its own molecule, except for `q_value`.
struct JudgedList {
  std::string encoder;
  std::size_t training_molecules = 0;
  bool has_error_curve = false;                  ///< whether the molecules have an `expected_error`
  bool has_values = false;                       ///< whether neighbours can have measured values
  std::optional<StoredCalibration> calibration;  ///< none if the saved domain has no calibration
  std::vector<JudgedMolecule> molecules;         ///< results in the order of the input
  bool has_properties = false;                   ///< whether `describe` was set
};

}  // namespace molgauge
