#include "molecules/chem/rdkit_2d/descriptors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <unordered_map>

// clang-format off
#include <RDGeneral/RDConfig.h>  // defines RDK_HAS_EIGEN3, without which BCUT.h is empty
#include <GraphMol/Descriptors/BCUT.h>
// clang-format on
#include <GraphMol/Descriptors/ConnectivityDescriptors.h>
#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Descriptors/MolSurf.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PartialCharges/GasteigerCharges.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/pattern_pool.h"
#include "molecules/chem/qed.h"
#include "molecules/chem/rdkit_2d/electrotopology.h"
#include "molecules/chem/rdkit_2d/fragments.h"
#include "molecules/chem/rdkit_2d/graph_indices.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem::rdkit_2d {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The numbers of a molecule by their names.
class Values {
 public:
  void set(std::string name, double value) { values_.insert_or_assign(std::move(name), value); }

  /// Sets PREFIX1, PREFIX2, ...
  void set_all(const std::string& prefix, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      set(prefix + std::to_string(i + 1), values[i]);
    }
  }

  double operator[](const std::string& name) const { return values_.at(name); }

 private:
  std::unordered_map<std::string, double> values_;
};

/// The substructures that are searched.
struct Searched {
  QedPatterns qed;
  FragmentPatterns fragments;
};

void add_e_states(const RDKit::ROMol& molecule, Values& values) {
  const std::vector<double> indices = e_state_indices(molecule);
  std::vector<double> sizes, surfaces(molecule.getNumAtoms());
  std::transform(indices.begin(), indices.end(), std::back_inserter(sizes),
                 [](double index) { return std::abs(index); });
  values.set("MaxEStateIndex", *std::max_element(indices.begin(), indices.end()));
  values.set("MinEStateIndex", *std::min_element(indices.begin(), indices.end()));
  values.set("MaxAbsEStateIndex", *std::max_element(sizes.begin(), sizes.end()));
  values.set("MinAbsEStateIndex", *std::min_element(sizes.begin(), sizes.end()));
  double of_hydrogens = 0;
  RDKit::Descriptors::getLabuteAtomContribs(molecule, surfaces, of_hydrogens);
  values.set_all("EState_VSA", binned_sums(indices, surfaces, e_state_limits()));
  values.set_all("VSA_EState", binned_sums(surfaces, indices, surface_limits()));
}

/// The smallest and the largest Gasteiger charge. A charge is NaN if an element has no parameters. In RDKit,
/// a NaN restarts the search at the next atom.
void add_charges(const RDKit::ROMol& molecule, Values& values) {
  std::vector<double> charges(molecule.getNumAtoms());
  constexpr int kIterations = 12;
  RDKit::computeGasteigerCharges(molecule, charges, kIterations);
  constexpr double kBeyond = 500;
  double lowest = kBeyond, highest = -kBeyond;
  for (const double charge : charges) {
    lowest = lowest < charge ? lowest : charge;
    highest = highest > charge ? highest : charge;
  }
  const double low = std::abs(lowest), high = std::abs(highest);
  values.set("MaxPartialCharge", highest);
  values.set("MinPartialCharge", lowest);
  values.set("MaxAbsPartialCharge", high > low ? high : low);
  values.set("MinAbsPartialCharge", high < low ? high : low);
}

void add_electrons(const RDKit::ROMol& molecule, Values& values) {
  const RDKit::PeriodicTable* const table = RDKit::PeriodicTable::getTable();
  int valence = 0;
  unsigned radical = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    valence += table->getNouterElecs(atom->getAtomicNum()) - atom->getFormalCharge() +
               static_cast<int>(atom->getTotalNumHs());
    radical += atom->getNumRadicalElectrons();
  }
  values.set("NumValenceElectrons", valence);
  values.set("NumRadicalElectrons", radical);
}

/// The number of distinct Morgan environments for each heavy atom.
void add_fingerprint_densities(const RDKit::ROMol& molecule, Values& values) {
  constexpr unsigned kLargestRadius = 3;
  for (unsigned radius = 1; radius <= kLargestRadius; ++radius) {
    const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> environments(
        RDKit::MorganFingerprints::getFingerprint(molecule, radius));
    const unsigned heavy = molecule.getNumHeavyAtoms();
    values.set("FpDensityMorgan" + std::to_string(radius),
               heavy == 0 ? 0 : static_cast<double>(environments->getNonzeroElements().size()) / heavy);
  }
}

/// The number of aromatic nitrogen atoms with three neighbours and no charge. RDKit counts them as acceptors
/// up to 2024.03.
unsigned substituted_nitrogens(const RDKit::ROMol& molecule) {
  constexpr int kNitrogen = 7;
  constexpr unsigned kNeighbours = 3;
  unsigned count = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    const bool is_counted = atom->getAtomicNum() == kNitrogen && atom->getIsAromatic() &&
                            atom->getFormalCharge() == 0 && atom->getTotalNumHs(true) == 0 &&
                            atom->getTotalDegree() == kNeighbours;
    count += is_counted ? 1 : 0;
  }
  return count;
}

/// Returns the molecule without hydrogen atoms, also without isotopes and single atoms of hydrogen.
RDKit::RWMol without_hydrogens(const RDKit::ROMol& molecule) {
  RDKit::RWMol heavy(molecule);
  RDKit::MolOps::RemoveHsParameters all;
  all.removeDegreeZero = all.removeHigherDegrees = all.removeOnlyHNeighbors = all.removeIsotopes = true;
  all.removeDummyNeighbors = all.removeDefiningBondStereo = all.removeWithWedgedBond = true;
  all.removeWithQuery = all.removeNonimplicit = all.removeHydrides = true;
  all.showWarnings = false;
  RDKit::MolOps::removeHs(heavy, all, /*sanitize=*/false);
  return heavy;
}

/// Eigenvalues of the Burden matrix. NaN if RDKit cannot compute them, for example without charges.
void add_bcut(const RDKit::ROMol& molecule, Values& values) {
  constexpr std::array kNames = {"MWHI", "MWLOW", "CHGHI", "CHGLO", "LOGPHI", "LOGPLOW", "MRHI", "MRLOW"};
  std::vector<double> numbers(kNames.size(), kNaN);
  try {
    if (molecule.getNumAtoms() > 0) {  // RDKit aborts without atoms
      numbers = RDKit::Descriptors::BCUT2D(molecule);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // The numbers stay NaN.
  }
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    values.set(std::string("BCUT2D_") + kNames[i], numbers.at(i));
  }
}

void add_topology(const RDKit::ROMol& molecule, Values& values) {
  using namespace RDKit::Descriptors;
  values.set("BalabanJ", balaban_j(molecule));
  values.set("BertzCT", bertz_ct(molecule));
  values.set("Chi0", chi_0(molecule));
  values.set("Chi1", chi_1(molecule));
  values.set("Chi0n", calcChi0n(molecule));
  values.set("Chi0v", calcChi0v(molecule));
  values.set("Chi1n", calcChi1n(molecule));
  values.set("Chi1v", calcChi1v(molecule));
  values.set("Chi2n", calcChi2n(molecule));
  values.set("Chi2v", calcChi2v(molecule));
  values.set("Chi3n", calcChi3n(molecule));
  values.set("Chi3v", calcChi3v(molecule));
  values.set("Chi4n", calcChi4n(molecule));
  values.set("Chi4v", calcChi4v(molecule));
  values.set("HallKierAlpha", calcHallKierAlpha(molecule));
  values.set("Kappa1", calcKappa1(molecule));
  values.set("Kappa2", calcKappa2(molecule));
  values.set("Kappa3", calcKappa3(molecule));
  values.set("Phi", calcPhi(molecule));
  const InformationContent information = information_content(molecule);
  values.set("Ipc", information.total);
  values.set("AvgIpc", information.average);
}

void add_surfaces(const RDKit::ROMol& molecule, Values& values) {
  using namespace RDKit::Descriptors;
  values.set("LabuteASA", calcLabuteASA(molecule));
  values.set("TPSA", calcTPSA(molecule));
  values.set_all("PEOE_VSA", calcPEOE_VSA(molecule));
  values.set_all("SMR_VSA", calcSMR_VSA(molecule));
  values.set_all("SlogP_VSA", calcSlogP_VSA(molecule));
}

void add_counts(const RDKit::ROMol& molecule, Values& values) {
  using namespace RDKit::Descriptors;
  values.set("FractionCSP3", calcFractionCSP3(molecule));
  values.set("HeavyAtomCount", molecule.getNumHeavyAtoms());
  values.set("NHOHCount", calcLipinskiHBD(molecule));
  values.set("NOCount", calcLipinskiHBA(molecule));
  values.set("NumAliphaticCarbocycles", calcNumAliphaticCarbocycles(molecule));
  values.set("NumAliphaticHeterocycles", calcNumAliphaticHeterocycles(molecule));
  values.set("NumAliphaticRings", calcNumAliphaticRings(molecule));
  values.set("NumAmideBonds", calcNumAmideBonds(molecule));
  values.set("NumAromaticCarbocycles", calcNumAromaticCarbocycles(molecule));
  values.set("NumAromaticHeterocycles", calcNumAromaticHeterocycles(molecule));
  values.set("NumAromaticRings", calcNumAromaticRings(molecule));
  values.set("NumBridgeheadAtoms", calcNumBridgeheadAtoms(molecule));
  values.set("NumHAcceptors", calcNumHBA(molecule));
  values.set("NumHDonors", calcNumHBD(molecule));
  values.set("NumHeteroatoms", calcNumHeteroatoms(molecule));
  values.set("NumHeterocycles", calcNumHeterocycles(molecule));
  values.set("NumRotatableBonds", calcNumRotatableBonds(molecule));
  values.set("NumSaturatedCarbocycles", calcNumSaturatedCarbocycles(molecule));
  values.set("NumSaturatedHeterocycles", calcNumSaturatedHeterocycles(molecule));
  values.set("NumSaturatedRings", calcNumSaturatedRings(molecule));
  values.set("NumSpiroAtoms", calcNumSpiroAtoms(molecule));
  values.set("RingCount", calcNumRings(molecule));
}

/// Stereocentres and the spacial score. The search for possible centres takes long in long chains.
void add_stereo(RDKit::RWMol& molecule, Values& values) {
  values.set("SPS", spacial_score(molecule));
  constexpr bool clean = true, force = true, flag_possible_centres = true;
  RDKit::MolOps::assignStereochemistry(molecule, clean, force, flag_possible_centres);
  values.set("NumAtomStereoCenters", RDKit::Descriptors::numAtomStereoCenters(molecule));
  values.set("NumUnspecifiedAtomStereoCenters",
             RDKit::Descriptors::numUnspecifiedAtomStereoCenters(molecule));
}

void add_weights_and_qed(const RDKit::ROMol& molecule, const QedPatterns& patterns, Values& values) {
  using namespace RDKit::Descriptors;
  constexpr bool only_heavy = true;
  MoleculeProperties known;
  double refractivity = 0;
  calcCrippenDescriptors(molecule, known.log_p, refractivity);
  known.molecular_weight = calcAMW(molecule);
  known.tpsa = calcTPSA(molecule);
  known.h_bond_donors = calcNumHBD(molecule);
  known.rotatable_bonds = calcNumRotatableBonds(molecule);
  values.set("MolLogP", known.log_p);
  values.set("MolMR", refractivity);
  values.set("MolWt", known.molecular_weight);
  values.set("HeavyAtomMolWt", calcAMW(molecule, only_heavy));
  values.set("ExactMolWt", calcExactMW(molecule));
  values.set("qed", patterns.qed(molecule, known));
}

std::vector<double> compute(RDKit::RWMol& molecule, const Searched& searched, Set set) {
  Values values;
  add_e_states(molecule, values);
  add_charges(molecule, values);
  add_electrons(molecule, values);
  add_fingerprint_densities(molecule, values);
  add_topology(molecule, values);
  add_surfaces(molecule, values);
  add_counts(molecule, values);
  add_weights_and_qed(molecule, searched.qed, values);
  if (set >= Set::rdkit_2023_09) {  // RDKit leaves out hydrogen atoms since then
    add_bcut(without_hydrogens(molecule), values);
  } else if (set != Set::descriptastorus) {
    add_bcut(molecule, values);
  }
  if (set >= Set::rdkit_2024_09) {
    values.set("NumHAcceptors", values["NumHAcceptors"] - substituted_nitrogens(molecule));
  }
  const std::vector<double> fragments = searched.fragments.counts(molecule, set);
  const std::vector<std::string> fragment_names_of_counts = fragment_names();
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    values.set(fragment_names_of_counts[i], fragments[i]);
  }
  if (set >= Set::rdkit_2023_09) {
    add_stereo(molecule, values);
  }
  std::vector<double> numbers;
  for (const std::string& name : names(set)) {
    const double number = values[name];
    numbers.push_back(std::isnan(number) ? 0 : number);
  }
  return numbers;
}

PatternPool<Searched>& searched_pool() {
  static PatternPool<Searched> pool;
  return pool;
}

}  // namespace

std::vector<double> descriptors_of(const MoleculeRecord& record, Set set) {
  auto molecule = read_molecule(record);
  return with_rdkit([&]() -> std::vector<double> {
    if (set == Set::descriptastorus) {
      if (molecule->getNumHeavyAtoms() == 0) {
        return std::vector<double>(names(set).size(), 0.0);
      }
      molecule = parse_smiles(RDKit::MolToSmiles(*molecule));
      if (molecule == nullptr) {
        throw InvalidMolecule("RDKit cannot read the canonical SMILES that it wrote");
      }
    }
    return searched_pool().lend([&](const Searched& searched) { return compute(*molecule, searched, set); });
  });
}

}  // namespace molgauge::chem::rdkit_2d
