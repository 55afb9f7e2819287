// Compares conformers of the fast engine with conformers of RDKit, and RDKit with itself under another seed.
// Writes a line for each molecule and each of the three. bench/conformer_quality.py makes tables of them.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <ForceField/ForceField.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MolTransforms/MolTransforms.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>
#include <RDGeneral/RDLog.h>

#include "molecules/chem/conformers/fast/engine.h"

namespace {

using Molecule = std::unique_ptr<RDKit::RWMol>;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool place_with_rdkit(RDKit::RWMol& molecule, int seed) {
  RDKit::DGeomHelpers::EmbedParameters parameters;
  parameters.randomSeed = seed;
  parameters.useExpTorsionAnglePrefs = true;
  parameters.useBasicKnowledge = true;
  if (RDKit::DGeomHelpers::EmbedMolecule(molecule, parameters) < 0) {
    return false;
  }
  RDKit::MMFF::MMFFOptimizeMolecule(molecule, 200, "MMFF94", 100);
  return true;
}

double energy_of(RDKit::RWMol& molecule) {
  RDKit::MMFF::MMFFMolProperties properties(molecule);
  if (!properties.isValid()) {
    return std::nan("");
  }
  const std::unique_ptr<ForceFields::ForceField> field(
      RDKit::MMFF::constructForceField(molecule, &properties, 100));
  field->initialize();
  return field->calcEnergy();
}

/// Whether the specified chiral centres and double bonds are in the coordinates.
bool is_stereo_right(const RDKit::RWMol& molecule) {
  RDKit::RWMol drawn(molecule), read(molecule);
  RDKit::MolOps::assignStereochemistry(drawn, true, true);
  RDKit::MolOps::assignStereochemistryFrom3D(read, -1, true);
  const auto& name = RDKit::common_properties::_CIPCode;
  for (const RDKit::Atom* const atom : drawn.atoms()) {
    std::string wanted, found;
    read.getAtomWithIdx(atom->getIdx())->getPropIfPresent(name, found);
    if (atom->getPropIfPresent(name, wanted) && wanted != found) {
      return false;
    }
  }
  for (const RDKit::Bond* const bond : drawn.bonds()) {
    if (bond->getStereo() > RDKit::Bond::STEREOANY &&
        bond->getStereo() != read.getBondWithIdx(bond->getIdx())->getStereo()) {
      return false;
    }
  }
  return true;
}

double gyration_radius(const RDKit::Conformer& conformer) {
  RDGeom::Point3D centre;
  for (const RDGeom::Point3D& point : conformer.getPositions()) {
    centre += point;
  }
  centre /= conformer.getNumAtoms();
  double sum = 0;
  for (const RDGeom::Point3D& point : conformer.getPositions()) {
    sum += (point - centre).lengthSq();
  }
  return std::sqrt(sum / conformer.getNumAtoms());
}

/// The smallest distance of atoms that are at least four bonds apart.
double closest_contact(const RDKit::RWMol& molecule) {
  const double* const apart = RDKit::MolOps::getDistanceMat(molecule);
  const auto& points = molecule.getConformer().getPositions();
  double closest = 1e3;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (apart[i * points.size() + j] >= 4) {
        closest = std::min(closest, (points[i] - points[j]).length());
      }
    }
  }
  return closest;
}

/// The largest distance of an sp2 carbon from the plane of its neighbours.
double worst_planarity(const RDKit::RWMol& molecule) {
  double worst = 0;
  const auto& points = molecule.getConformer().getPositions();
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() != 6 || atom->getDegree() != 3 || atom->getHybridization() != RDKit::Atom::SP2) {
      continue;
    }
    std::vector<RDGeom::Point3D> around;
    for (const RDKit::Bond* const bond : molecule.atomBonds(atom)) {
      around.push_back(points[bond->getOtherAtomIdx(atom->getIdx())]);
    }
    RDGeom::Point3D normal = (around[1] - around[0]).crossProduct(around[2] - around[0]);
    normal.normalize();
    worst = std::max(worst, std::fabs(normal.dotProduct(points[atom->getIdx()] - around[0])));
  }
  return worst;
}

/// Absolute dihedral angles of the matches of a pattern with atoms a-b-c-d or b-c.
std::vector<double> dihedrals(const RDKit::RWMol& molecule, const RDKit::ROMol& pattern) {
  std::vector<double> angles;
  for (const auto& match : RDKit::SubstructMatch(molecule, pattern)) {
    const double angle = MolTransforms::getDihedralDeg(
        molecule.getConformer(), static_cast<unsigned>(match[0].second),
        static_cast<unsigned>(match[1].second), static_cast<unsigned>(match[2].second),
        static_cast<unsigned>(match[3].second));
    angles.push_back(std::fabs(angle));
  }
  return angles;
}

std::string join(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    text += (text.empty() ? "" : ";") + std::to_string(std::lround(10 * number));
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "bench_conformer_quality FILE_OF_SMILES_LINES\n";
    return 2;
  }
  boost::logging::disable_logs("rdApp.*");
  const std::unique_ptr<RDKit::ROMol> rotatable(RDKit::SmartsToMol("*~[!$(*#*)&!D1]-&!@[!$(*#*)&!D1]~*")),
      amide(RDKit::SmartsToMol("O=C-&!@[NX3]-[#6]"));
  std::ifstream file(arguments[1]);
  std::cout << "row,atoms,engine,made,stereo,seconds,energy,gyration,contact,planarity,torsions,amides\n";
  std::size_t row = 0;
  for (std::string line; std::getline(file, line); ++row) {
    for (const std::string engine : {"fast", "rdkit", "rdkit-other-seed"}) {
      try {
        const Molecule molecule(RDKit::SmilesToMol(line));
        if (!molecule) {
          continue;
        }
        RDKit::MolOps::addHs(*molecule);
        const double begun = processor_seconds();
        const bool is_made = engine == "fast" ? molgauge::chem::fast::add_conformer(*molecule).has_value()
                                              : place_with_rdkit(*molecule, engine == "rdkit" ? 42 : 43);
        std::cout << row << ',' << molecule->getNumAtoms() << ',' << engine << ',' << is_made << ',';
        const double seconds = processor_seconds() - begun;
        if (!is_made) {
          std::cout << "0," << seconds << ",,,,,,\n";
          continue;
        }
        std::cout << is_stereo_right(*molecule) << ',' << seconds << ',' << energy_of(*molecule) << ','
                  << gyration_radius(molecule->getConformer()) << ',' << closest_contact(*molecule) << ','
                  << worst_planarity(*molecule) << ',' << join(dihedrals(*molecule, *rotatable)) << ','
                  << join(dihedrals(*molecule, *amide)) << '\n'
                  << std::flush;
      } catch (const std::exception& failure) {
        std::cerr << row << ": " << failure.what() << '\n';
      }
    }
  }
  return 0;
}
