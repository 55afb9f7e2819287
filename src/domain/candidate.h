#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "domain/known_parts.h"
#include "domain/reference.h"

namespace headroom::domain {

/// What was found of one candidate, before the list as a whole is judged.
struct Candidate {
  std::string unreadable;  ///< why it is no molecule; empty for one that is
  std::string smiles;      ///< canonical
  std::string scaffold;
  bool equals_training = false;  ///< has the canonical SMILES of a training molecule
  float score = 0;
  std::array<Neighbour, kNearestShown> nearest{};
  std::array<float, kNearestShown> tanimoto{};  ///< similarity to each of them
  std::size_t nearest_count = 0;
  std::array<float, 2> place{};  ///< on the map
  ForeignParts foreign;
};

/// Bytes from which candidates_from() makes the same candidates, on the same machine.
std::string to_bytes(const std::vector<Candidate>& candidates);
/// Throws InputError where the bytes are not what to_bytes() gave.
std::vector<Candidate> candidates_from(std::string_view bytes);

}  // namespace headroom::domain
