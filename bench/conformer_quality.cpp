// Compares conformers of the fast engine with conformers of RDKit, and RDKit with itself under another seed.
// Writes a line for each molecule and each of the three. bench/conformer_quality.py makes tables of them.
// Each conformer is made in a child process, which ends after ten seconds of processor time.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// Whether the specified chiral centres and double bonds are in the coordinates. The tags also cover centres
/// of rings that have no CIP code.
bool is_stereo_right(const RDKit::RWMol& molecule) {
  RDKit::RWMol drawn(molecule), read(molecule);
  RDKit::MolOps::assignStereochemistry(drawn, true, true);
  RDKit::MolOps::assignStereochemistryFrom3D(read, -1, true);
  const auto& name = RDKit::common_properties::_CIPCode;
  for (const RDKit::Atom* const atom : drawn.atoms()) {
    std::string wanted, found;
    read.getAtomWithIdx(atom->getIdx())->getPropIfPresent(name, found);
    const auto tag = atom->getChiralTag();
    const bool is_tagged = tag == RDKit::Atom::CHI_TETRAHEDRAL_CW || tag == RDKit::Atom::CHI_TETRAHEDRAL_CCW;
    if ((atom->getPropIfPresent(name, wanted) && wanted != found) ||
        (is_tagged && read.getAtomWithIdx(atom->getIdx())->getChiralTag() != tag)) {
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

/// The smallest distance of atoms of a fragment that are at least four bonds apart. RDKit places fragments on
/// each other.
double closest_contact(const RDKit::RWMol& molecule) {
  const double* const apart = RDKit::MolOps::getDistanceMat(molecule);
  const auto& points = molecule.getConformer().getPositions();
  double closest = 1e3;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double bonds = apart[i * points.size() + j];
      if (bonds >= 4 && bonds < static_cast<double>(points.size())) {
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

using Measure = std::function<double(const RDKit::Conformer&, const std::vector<unsigned>&)>;

/// Measures the matches of a pattern. The result has rounded numbers, separated by semicolons.
std::string measures(const RDKit::RWMol& molecule, const RDKit::ROMol& pattern, const Measure& measure) {
  std::string text;
  for (const auto& match : RDKit::SubstructMatch(molecule, pattern)) {
    std::vector<unsigned> atoms;
    for (const auto& pair : match) {
      atoms.push_back(static_cast<unsigned>(pair.second));
    }
    text += (text.empty() ? "" : ";") + std::to_string(std::lround(measure(molecule.getConformer(), atoms)));
  }
  return text;
}

/// Absolute dihedral angle in tenths of a degree.
double dihedral(const RDKit::Conformer& conformer, const std::vector<unsigned>& atoms) {
  return 10 * std::fabs(MolTransforms::getDihedralDeg(conformer, atoms[0], atoms[1], atoms[2], atoms[3]));
}

/// Angle in tenths of a degree.
double angle(const RDKit::Conformer& conformer, const std::vector<unsigned>& atoms) {
  return 10 * MolTransforms::getAngleDeg(conformer, atoms[0], atoms[1], atoms[2]);
}

/// Length in thousandths of an angstrom.
double bond_length(const RDKit::Conformer& conformer, const std::vector<unsigned>& atoms) {
  return 1000 * MolTransforms::getBondLength(conformer, atoms[0], atoms[1]);
}

struct Column {
  const char* name;
  std::unique_ptr<RDKit::ROMol> pattern;
  Measure measure;
};

std::vector<Column> pattern_columns() {
  std::vector<Column> columns;
  const auto add = [&](const char* name, const char* pattern, Measure measure) {
    columns.push_back({name, std::unique_ptr<RDKit::ROMol>(RDKit::SmartsToMol(pattern)), std::move(measure)});
  };
  add("torsions", "*~[!$(*#*)&!D1]-&!@[!$(*#*)&!D1]~*", dihedral);
  add("amides", "O=C-&!@[NX3]-[#6]", dihedral);
  add("ring_torsions", "[R]~&@[R]-&@[R]~&@[R]", dihedral);
  add("aromatic_torsions", "a:a:a:a", dihedral);
  add("ring_angles", "[R]~&@[R]~&@[R]", angle);
  add("ring_bonds", "[R]~&@[R]", bond_length);
  return columns;
}

bool place(const std::string& engine, RDKit::RWMol& molecule) {
  return engine == "fast" ? molgauge::chem::fast::add_conformer(molecule).has_value()
                          : place_with_rdkit(molecule, engine == "rdkit" ? 42 : 43);
}

/// Writes the columns after `engine`.
void write_row(const std::string& engine, RDKit::RWMol& molecule, const std::vector<Column>& columns) {
  const double begun = processor_seconds();
  const bool is_made = place(engine, molecule);
  const double seconds = processor_seconds() - begun;
  std::cout << is_made << ',' << seconds;
  if (is_made) {
    std::cout << ',' << is_stereo_right(molecule) << ',' << energy_of(molecule) << ','
              << gyration_radius(molecule.getConformer()) << ',' << closest_contact(molecule) << ','
              << worst_planarity(molecule);
    for (const Column& column : columns) {
      std::cout << ',' << measures(molecule, *column.pattern, column.measure);
    }
  }
  std::cout << '\n' << std::flush;
}

constexpr rlim_t kDeadline = 10;  ///< seconds

/// Calls write_row() in a child process. A child that fails or reaches the deadline has made no conformer.
void write_row_apart(const std::string& engine, RDKit::RWMol& molecule, const std::vector<Column>& columns) {
  std::cout << std::flush;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{kDeadline, kDeadline};
    setrlimit(RLIMIT_CPU, &limit);
    try {
      write_row(engine, molecule, columns);
      _exit(0);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  if (status != 0) {
    std::cout << "0,"
              << static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec)
              << '\n';
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "bench_conformer_quality FILE_OF_SMILES_LINES [fast|rdkit|rdkit-other-seed ...]\n";
    return 2;
  }
  boost::logging::disable_logs("rdApp.*");
  std::vector<std::string> engines(arguments + 2, arguments + count);
  if (engines.empty()) {
    engines = {"fast", "rdkit", "rdkit-other-seed"};
  }
  const Molecule first(RDKit::SmilesToMol("CC(=O)Nc1ccccc1"));
  for (const std::string& engine : engines) {  // RDKit reads its parameters once
    place(engine, *first);
  }
  const auto columns = pattern_columns();
  std::cout << "row,atoms,engine,made,seconds,stereo,energy,gyration,contact,planarity";
  for (const Column& column : columns) {
    std::cout << ',' << column.name;
  }
  std::cout << '\n';
  std::ifstream file(arguments[1]);
  std::size_t row = 0;
  for (std::string line; std::getline(file, line); ++row) {
    for (const std::string& engine : engines) {
      try {
        const Molecule molecule(RDKit::SmilesToMol(line));
        if (!molecule) {
          continue;
        }
        RDKit::MolOps::addHs(*molecule);
        std::cout << row << ',' << molecule->getNumAtoms() << ',' << engine << ',';
        write_row_apart(engine, *molecule, columns);
      } catch (const std::exception& failure) {
        std::cerr << row << ": " << failure.what() << '\n';
      }
    }
  }
  return 0;
}
