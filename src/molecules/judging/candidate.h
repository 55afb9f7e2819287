#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/judging/known_parts.h"
#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/reference.h"
#include "molecules/judging/training_match.h"

namespace molgauge::domain {

/// The results of one candidate that do not depend on the rest of the list.
struct Candidate {
  std::string unreadable;    ///< the reason why the record is not a molecule; empty for a molecule
  std::string smiles;        ///< canonical SMILES of the molecule as drawn
  std::string standardized;  ///< canonical SMILES of the standardised molecule, which is compared
  std::string scaffold;
  TrainingMatch match;
  bool equals_training = false;  ///< equals a training molecule after standardisation
  float score = 0;
  float range = 0;          ///< PropertySurprise::value
  std::string range_words;  ///< the most unusual property (PropertyRanges::words())
  std::array<Neighbour, kNearestShown> nearest{};
  std::array<float, kNearestShown> tanimoto{};  ///< similarity to each of the nearest molecules
  std::size_t nearest_count = 0;
  std::array<float, 2> place{};  ///< coordinates on the map
  ForeignParts foreign;
  std::vector<std::string> remarks;  ///< remarks_of() in molecules/chem/components.h
  Opinion opinion;                   ///< NaN if the domain has no second opinion
};

/// Converts candidates to bytes for candidates_from() on the same machine.
std::string to_bytes(const std::vector<Candidate>& candidates);
/// Throws InputError if the bytes are not from to_bytes().
std::vector<Candidate> candidates_from(std::string_view bytes);

}  // namespace molgauge::domain
