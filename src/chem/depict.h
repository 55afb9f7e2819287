#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "chem/record.h"

namespace headroom::chem {

/// Most atoms of a readable drawing; laying out more takes long, too.
inline constexpr std::size_t kMaxDrawnAtoms = 200;

/// A structure drawn in two dimensions: one SVG element to stand in a page, of `width` x `height` units, with
/// a transparent background and every line in currentColor, so that it follows the page's theme. Atoms are
/// drawn as outlines: no font is needed. Throws InvalidMolecule, also for more than kMaxDrawnAtoms. Thread
/// safety: any number of calls at once.
///
/// `coloured`: atoms in the order of the record behind which the drawing has a patch of colour, and the bonds
/// between them; InvalidMolecule where there is no such atom.
std::string depict(const MoleculeRecord& record, int width, int height,
                   std::span<const std::size_t> coloured = {});

/// The mol block (V2000) of a structure that is laid out in two dimensions. Throws as depict() does.
std::string flat_mol_block(const MoleculeRecord& record);

}  // namespace headroom::chem
