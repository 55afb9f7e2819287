#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Answers about molecules that a program has in memory, without files.
namespace headroom {

/// A drawing of one molecule.
struct DepictRequest {
  std::string smiles;
  int width = 240, height = 180;        ///< units of the drawing, 16 to 2,000
  std::vector<std::size_t> atoms = {};  ///< atoms to be coloured, from 0 in the order of the SMILES
  /// A mol block (V2000) with coordinates in two dimensions, instead of an SVG element.
  bool as_mol_block = false;
};

/// A molecule compared with the training molecules of a saved domain. Numbers are NaN where it is unreadable.
struct JudgedMolecule {
  std::string verdict;              ///< inside, borderline, outside or unreadable
  std::string reason;               ///< why it is unreadable; else empty
  std::string smiles;               ///< canonical, as drawn
  std::string standardized_smiles;  ///< canonical, of the standardised molecule, which is compared
  double p_value = 0;
  double q_value = 0;        ///< the p-value corrected for the length of the list (Benjamini and Hochberg)
  double distance = 0;       ///< the score of the domain's method
  double percentile = 0;     ///< held-out training molecules that are no farther out, in per cent
  bool in_training = false;  ///< is a training molecule after standardisation
  /// How it corresponds to a training molecule: same, same parent, tautomer (with --standardize tautomer) or
  /// stereoisomer. Empty if it does not.
  std::string training_match;
  std::string training_match_name, training_match_smiles;  ///< that training molecule
  std::string scaffold;                                    ///< of Murcko; empty without rings
  bool scaffold_in_training = false;
  std::vector<std::size_t> foreign_atoms;  ///< in the order of the input
  std::vector<std::string> foreign;        ///< what training lacks, in words
  struct Neighbour {
    std::string name, smiles;
    double tanimoto = 0, distance = 0;
    double value = 0;  ///< measured value; NaN if it is missing or the domain has no label column
  };
  std::vector<Neighbour> nearest;  ///< training molecules, the nearest first, three at most
};

/// The judgements of a list. Except for `q_value`, each depends on its molecule alone.
struct JudgedList {
  std::string encoder;
  std::size_t training_molecules = 0;
  std::vector<JudgedMolecule> molecules;  ///< in the order of the input
};

}  // namespace headroom
