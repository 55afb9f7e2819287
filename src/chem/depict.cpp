#include "chem/depict.h"

#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

#include "chem/rdkit_call.h"
#include "chem/rdkit_reader.h"

namespace headroom::chem {
namespace {

constexpr const char* kBlack = "#000000";

/// Makes an element of a page from RDKit's text, which is a file: header, comments, fixed size, black lines.
std::string as_page_element(std::string svg, int width, int height) {
  for (std::size_t at = svg.find(kBlack); at != std::string::npos; at = svg.find(kBlack, at)) {
    svg.replace(at, std::string(kBlack).size(), "currentColor");
  }
  const std::size_t content = svg.find("<path");
  const std::string opening = "<svg viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                              R"(" role="img" aria-label="Structure">)";
  return opening + (content == std::string::npos ? "</svg>" : svg.substr(content));
}

}  // namespace

std::string depict(const MoleculeRecord& record, int width, int height) {
  const auto molecule = read_molecule(record);
  if (molecule->getNumAtoms() > kMostDrawnAtoms) {
    throw InvalidMolecule("its " + std::to_string(molecule->getNumAtoms()) + " atoms are more than the " +
                          std::to_string(kMostDrawnAtoms) + " that a drawing may have");
  }
  return with_rdkit([&] {
    RDKit::MolDraw2DSVG drawing(width, height);
    RDKit::MolDrawOptions& options = drawing.drawOptions();
    RDKit::assignBWPalette(options.atomColourPalette);
    options.clearBackground = false;
    options.fixedBondLength = 26;  // small molecules are not enlarged
    options.bondLineWidth = 1;
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawing, *molecule);
    drawing.finishDrawing();
    return as_page_element(drawing.getDrawingText(), width, height);
  });
}

}  // namespace headroom::chem
