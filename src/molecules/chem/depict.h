#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Maximum number of atoms in a drawing. Drawings with more atoms are not readable, and their layout takes
/// long.
inline constexpr std::size_t kMaxDrawnAtoms = 200;

/// Draws a structure in two dimensions as an SVG element for a web page, of `width` x `height` units. The
/// background is transparent. All lines have the colour currentColor, which follows the theme of the page.
/// Labels are drawn as outlines and need no font. Throws InvalidMolecule, also for more than kMaxDrawnAtoms
/// atoms. Thread safety: any number of calls at once.
///
/// `coloured`: the atoms to highlight with a coloured background, numbered as in the record. Bonds between
/// them are highlighted, too. Throws InvalidMolecule if an atom does not exist.
std::string depict(const MoleculeRecord& record, int width, int height,
                   std::span<const std::size_t> coloured = {});

/// The mol block (V2000) of a structure that is laid out in two dimensions. Throws as depict() does.
std::string flat_mol_block(const MoleculeRecord& record);

}  // namespace molgauge::chem
