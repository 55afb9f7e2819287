// Generates conformers as `molgauge conformers` does, but with RDKit alone (hydrogens, ETKDG, MMFF). One
// thread processes one molecule after the other. bench/conformers.py compares the times. With a seed and an
// .sdf, the conformers are written. The title of a record is the number of its line, from 0.
// bench/conformer_features.py compares their features.

#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

namespace {

/// Returns null if RDKit finds no conformer.
std::unique_ptr<RDKit::RWMol> place(const std::string& smiles, int seed) {
  try {
    std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles));
    if (!molecule) {
      return nullptr;
    }
    RDKit::MolOps::addHs(*molecule);
    RDKit::DGeomHelpers::EmbedParameters parameters;
    parameters.randomSeed = seed;
    parameters.useExpTorsionAnglePrefs = true;
    parameters.useBasicKnowledge = true;
    if (RDKit::DGeomHelpers::EmbedMolecule(*molecule, parameters) < 0) {
      return nullptr;
    }
    RDKit::MMFF::MMFFOptimizeMolecule(*molecule, 200, "MMFF94", 100);
    return molecule;
  } catch (const std::exception&) {
    return nullptr;
  }
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 4) {
    std::cerr << "bench_rdkit_conformers FILE_OF_SMILES_LINES [SEED OUT.sdf]\n";
    return 2;
  }
  boost::logging::disable_logs("rdApp.*");
  const int seed = count == 4 ? std::stoi(arguments[2]) : 42;
  std::ofstream out;
  if (count == 4) {
    out.open(arguments[3]);
  }
  std::ifstream file(arguments[1]);
  std::size_t placed = 0, row = 0;
  const double begun = processor_seconds();
  for (std::string line; std::getline(file, line); ++row) {
    const auto molecule = place(line, seed);
    placed += molecule ? 1 : 0;
    if (molecule && out.is_open()) {
      molecule->setProp("_Name", std::to_string(row));
      out << RDKit::MolToMolBlock(*molecule) << "$$$$\n";
    }
  }
  std::cout << "{\"placed\": " << placed << ", \"processor_seconds\": " << processor_seconds() - begun
            << "}\n";
  return 0;
}
