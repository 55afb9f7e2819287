#include "molecules/chem/rdkit_2d/sets.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "molecules/chem/rdkit_2d/fragments.h"

namespace molgauge::chem::rdkit_2d {
namespace {

/// The names of the longest list before the fragments, in its order.
constexpr auto kNames = std::to_array<std::string_view>({"MaxAbsEStateIndex",
                                                         "MaxEStateIndex",
                                                         "MinAbsEStateIndex",
                                                         "MinEStateIndex",
                                                         "qed",
                                                         "SPS",
                                                         "MolWt",
                                                         "HeavyAtomMolWt",
                                                         "ExactMolWt",
                                                         "NumValenceElectrons",
                                                         "NumRadicalElectrons",
                                                         "MaxPartialCharge",
                                                         "MinPartialCharge",
                                                         "MaxAbsPartialCharge",
                                                         "MinAbsPartialCharge",
                                                         "FpDensityMorgan1",
                                                         "FpDensityMorgan2",
                                                         "FpDensityMorgan3",
                                                         "BCUT2D_MWHI",
                                                         "BCUT2D_MWLOW",
                                                         "BCUT2D_CHGHI",
                                                         "BCUT2D_CHGLO",
                                                         "BCUT2D_LOGPHI",
                                                         "BCUT2D_LOGPLOW",
                                                         "BCUT2D_MRHI",
                                                         "BCUT2D_MRLOW",
                                                         "AvgIpc",
                                                         "BalabanJ",
                                                         "BertzCT",
                                                         "Chi0",
                                                         "Chi0n",
                                                         "Chi0v",
                                                         "Chi1",
                                                         "Chi1n",
                                                         "Chi1v",
                                                         "Chi2n",
                                                         "Chi2v",
                                                         "Chi3n",
                                                         "Chi3v",
                                                         "Chi4n",
                                                         "Chi4v",
                                                         "HallKierAlpha",
                                                         "Ipc",
                                                         "Kappa1",
                                                         "Kappa2",
                                                         "Kappa3",
                                                         "LabuteASA",
                                                         "PEOE_VSA1",
                                                         "PEOE_VSA10",
                                                         "PEOE_VSA11",
                                                         "PEOE_VSA12",
                                                         "PEOE_VSA13",
                                                         "PEOE_VSA14",
                                                         "PEOE_VSA2",
                                                         "PEOE_VSA3",
                                                         "PEOE_VSA4",
                                                         "PEOE_VSA5",
                                                         "PEOE_VSA6",
                                                         "PEOE_VSA7",
                                                         "PEOE_VSA8",
                                                         "PEOE_VSA9",
                                                         "SMR_VSA1",
                                                         "SMR_VSA10",
                                                         "SMR_VSA2",
                                                         "SMR_VSA3",
                                                         "SMR_VSA4",
                                                         "SMR_VSA5",
                                                         "SMR_VSA6",
                                                         "SMR_VSA7",
                                                         "SMR_VSA8",
                                                         "SMR_VSA9",
                                                         "SlogP_VSA1",
                                                         "SlogP_VSA10",
                                                         "SlogP_VSA11",
                                                         "SlogP_VSA12",
                                                         "SlogP_VSA2",
                                                         "SlogP_VSA3",
                                                         "SlogP_VSA4",
                                                         "SlogP_VSA5",
                                                         "SlogP_VSA6",
                                                         "SlogP_VSA7",
                                                         "SlogP_VSA8",
                                                         "SlogP_VSA9",
                                                         "TPSA",
                                                         "EState_VSA1",
                                                         "EState_VSA10",
                                                         "EState_VSA11",
                                                         "EState_VSA2",
                                                         "EState_VSA3",
                                                         "EState_VSA4",
                                                         "EState_VSA5",
                                                         "EState_VSA6",
                                                         "EState_VSA7",
                                                         "EState_VSA8",
                                                         "EState_VSA9",
                                                         "VSA_EState1",
                                                         "VSA_EState10",
                                                         "VSA_EState2",
                                                         "VSA_EState3",
                                                         "VSA_EState4",
                                                         "VSA_EState5",
                                                         "VSA_EState6",
                                                         "VSA_EState7",
                                                         "VSA_EState8",
                                                         "VSA_EState9",
                                                         "FractionCSP3",
                                                         "HeavyAtomCount",
                                                         "NHOHCount",
                                                         "NOCount",
                                                         "NumAliphaticCarbocycles",
                                                         "NumAliphaticHeterocycles",
                                                         "NumAliphaticRings",
                                                         "NumAmideBonds",
                                                         "NumAromaticCarbocycles",
                                                         "NumAromaticHeterocycles",
                                                         "NumAromaticRings",
                                                         "NumAtomStereoCenters",
                                                         "NumBridgeheadAtoms",
                                                         "NumHAcceptors",
                                                         "NumHDonors",
                                                         "NumHeteroatoms",
                                                         "NumHeterocycles",
                                                         "NumRotatableBonds",
                                                         "NumSaturatedCarbocycles",
                                                         "NumSaturatedHeterocycles",
                                                         "NumSaturatedRings",
                                                         "NumSpiroAtoms",
                                                         "NumUnspecifiedAtomStereoCenters",
                                                         "Phi",
                                                         "RingCount",
                                                         "MolLogP",
                                                         "MolMR"});

/// Descriptors that RDKit 2022.09 does not list, with the first list that contains them.
constexpr auto kAdded =
    std::to_array<std::pair<std::string_view, Set>>({{"AvgIpc", Set::rdkit_2023_03},
                                                     {"SPS", Set::rdkit_2023_09},
                                                     {"NumAmideBonds", Set::rdkit_2024_09},
                                                     {"NumAtomStereoCenters", Set::rdkit_2024_09},
                                                     {"NumBridgeheadAtoms", Set::rdkit_2024_09},
                                                     {"NumHeterocycles", Set::rdkit_2024_09},
                                                     {"NumSpiroAtoms", Set::rdkit_2024_09},
                                                     {"NumUnspecifiedAtomStereoCenters", Set::rdkit_2024_09},
                                                     {"Phi", Set::rdkit_2024_09}});

bool is_in(Set set, std::string_view name) {
  const auto* const added =
      std::find_if(kAdded.begin(), kAdded.end(), [&](const auto& entry) { return entry.first == name; });
  if (added != kAdded.end()) {
    return set >= added->second;
  }
  return set != Set::descriptastorus || !name.starts_with("BCUT2D_");
}

std::vector<std::string> make_names(Set set) {
  std::vector<std::string> names;
  for (const std::string_view name : kNames) {
    if (is_in(set, name)) {
      names.emplace_back(name);
    }
  }
  const std::vector<std::string> fragments = fragment_names();
  names.insert(names.end(), fragments.begin(), fragments.end());
  if (set == Set::descriptastorus) {
    std::sort(names.begin(), names.end());
  }
  if (set == Set::rdkit_2022_09) {  // MaxEState, MinEState, MaxAbsEState, MinAbsEState
    std::swap(names[0], names[1]);
    std::swap(names[1], names[3]);
    std::swap(names[2], names[3]);
  }
  return names;
}

}  // namespace

std::vector<Set> rdkit_sets() {
  return {Set::rdkit_2022_09, Set::rdkit_2023_03, Set::rdkit_2023_09, Set::rdkit_2024_09};
}

const std::vector<std::string>& names(Set set) {
  static const std::array<std::vector<std::string>, 5> all = {
      make_names(Set::descriptastorus), make_names(Set::rdkit_2022_09), make_names(Set::rdkit_2023_03),
      make_names(Set::rdkit_2023_09), make_names(Set::rdkit_2024_09)};
  return all[static_cast<std::size_t>(set)];
}

}  // namespace molgauge::chem::rdkit_2d
