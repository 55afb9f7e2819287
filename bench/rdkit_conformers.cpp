// Generates conformers as `molgauge conformers` does, but with RDKit alone (hydrogens, ETKDG, MMFF). One
// thread processes one molecule after the other. bench/conformers.py compares the times.

#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

namespace {

bool place(const std::string& smiles) {
  try {
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles));
    if (!molecule) {
      return false;
    }
    RDKit::MolOps::addHs(*molecule);
    RDKit::DGeomHelpers::EmbedParameters parameters;
    parameters.randomSeed = 42;
    parameters.useExpTorsionAnglePrefs = true;
    parameters.useBasicKnowledge = true;
    if (RDKit::DGeomHelpers::EmbedMolecule(*molecule, parameters) < 0) {
      return false;
    }
    RDKit::MMFF::MMFFOptimizeMolecule(*molecule, 200, "MMFF94", 100);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "bench_rdkit_conformers FILE_OF_SMILES_LINES\n";
    return 2;
  }
  boost::logging::disable_logs("rdApp.*");
  std::ifstream file(arguments[1]);
  std::size_t placed = 0;
  const double begun = processor_seconds();
  for (std::string line; std::getline(file, line);) {
    placed += place(line) ? 1 : 0;
  }
  std::cout << "{\"placed\": " << placed << ", \"processor_seconds\": " << processor_seconds() - begun
            << "}\n";
  return 0;
}
