#include "molecules/chem/depict.h"

#include <algorithm>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

constexpr const char* kBlack = "#000000";
/// A colour on which dark and light lines are readable.
const RDKit::DrawColour kPatch(0.93, 0.60, 0.23, 0.55);

/// Turns the SVG file of RDKit into an element of a page. Removes its header, comments and fixed size, and
/// draws black lines in the text colour of the page.
std::string as_page_element(std::string svg, int width, int height) {
  for (std::size_t at = svg.find(kBlack); at != std::string::npos; at = svg.find(kBlack, at)) {
    svg.replace(at, std::string(kBlack).size(), "currentColor");
  }
  const std::size_t content = std::min(svg.find("<path"), svg.find("<ellipse"));
  const std::string opening = "<svg viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                              R"(" role="img" aria-label="Structure">)";
  return opening + (content == std::string::npos ? "</svg>" : svg.substr(content));
}

std::unique_ptr<RDKit::RWMol> read_small_molecule(const MoleculeRecord& record) {
  auto molecule = read_molecule(record);
  if (molecule->getNumAtoms() > kMaxDrawnAtoms) {
    throw InvalidMolecule("its " + std::to_string(molecule->getNumAtoms()) + " atoms are more than the " +
                          std::to_string(kMaxDrawnAtoms) + " that a drawing may have");
  }
  return molecule;
}

std::vector<int> atoms_of(const RDKit::ROMol& molecule, std::span<const std::size_t> atoms) {
  std::vector<int> numbers;
  for (const std::size_t atom : atoms) {
    if (atom >= molecule.getNumAtoms()) {
      throw InvalidMolecule("it has no atom " + std::to_string(atom) + ". They are counted from 0 to " +
                            std::to_string(molecule.getNumAtoms() - 1));
    }
    numbers.push_back(static_cast<int>(atom));
  }
  return numbers;
}

std::vector<int> bonds_between(const RDKit::ROMol& molecule, const std::vector<int>& atoms) {
  const auto is_in = [&](unsigned atom) {
    return std::find(atoms.begin(), atoms.end(), static_cast<int>(atom)) != atoms.end();
  };
  std::vector<int> bonds;
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    if (is_in(bond->getBeginAtomIdx()) && is_in(bond->getEndAtomIdx())) {
      bonds.push_back(static_cast<int>(bond->getIdx()));
    }
  }
  return bonds;
}

}  // namespace

std::string depict(const MoleculeRecord& record, int width, int height,
                   std::span<const std::size_t> coloured) {
  const auto molecule = read_small_molecule(record);
  const std::vector<int> atoms = atoms_of(*molecule, coloured);
  return with_rdkit([&] {
    RDKit::MolDraw2DSVG drawing(width, height);
    RDKit::MolDrawOptions& options = drawing.drawOptions();
    RDKit::assignBWPalette(options.atomColourPalette);
    options.clearBackground = false;
    options.fixedBondLength = 26;  // the maximum bond length, so small molecules are not enlarged
    options.bondLineWidth = 1;
    options.highlightColour = kPatch;
    const std::vector<int> bonds = bonds_between(*molecule, atoms);
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawing, *molecule, "", &atoms, &bonds);
    drawing.finishDrawing();
    return as_page_element(drawing.getDrawingText(), width, height);
  });
}

std::string flat_mol_block(const MoleculeRecord& record) {
  const auto molecule = read_small_molecule(record);
  return with_rdkit([&] {
    RDDepict::compute2DCoords(*molecule);
    return RDKit::MolToMolBlock(*molecule);
  });
}

}  // namespace molgauge::chem
