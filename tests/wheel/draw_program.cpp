/// Draws aspirin with RDKit and prints the drawing: `draw_program svg` and `draw_program png`. If RDKit
/// fails, prints a message on standard error and exits with code 3. If the drawing is empty, exits with code
/// 4.

#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include <GraphMol/MolDraw2D/MolDraw2DCairo.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

template <typename Drawing, typename... Arguments>
std::string drawn(const RDKit::ROMol& molecule, Arguments... arguments) {
  Drawing drawing(300, 200, arguments...);
  RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawing, molecule, "aspirin");
  drawing.finishDrawing();
  return drawing.getDrawingText();
}

int main(int, char** arguments) {
  const std::string kind = arguments[1];
  try {
    const std::unique_ptr<RDKit::ROMol> molecule(RDKit::SmilesToMol("CC(=O)Oc1ccccc1C(=O)O"));
    // Without FreeType, cairo draws the texts, too.
    const std::string content = kind == "svg" ? drawn<RDKit::MolDraw2DSVG>(*molecule)
                                : kind == "png"
                                    ? drawn<RDKit::MolDraw2DCairo>(*molecule)
                                    : drawn<RDKit::MolDraw2DCairo>(*molecule, -1, -1, /*noFreetype=*/true);
    std::cout << content;
    return content.empty() ? 4 : 0;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 3;
  }
}
