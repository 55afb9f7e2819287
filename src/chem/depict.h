#pragma once

#include <cstddef>
#include <string>

#include "chem/record.h"

namespace headroom::chem {

/// Most atoms of a readable drawing; laying out more takes long, too.
inline constexpr std::size_t kMostDrawnAtoms = 200;

/// A structure drawn in two dimensions: one SVG element to stand in a page, of `width` x `height` units, with
/// a transparent background and every line in currentColor, so that it follows the page's theme. Atoms are
/// drawn as outlines: no font is needed. Throws InvalidMolecule, also for more than kMostDrawnAtoms. Thread
/// safety: any number of calls at once.
std::string depict(const MoleculeRecord& record, int width, int height);

}  // namespace headroom::chem
