#include "molecules/chem/counter_ions.h"

#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

namespace molgauge::chem {
namespace {

constexpr std::array<std::string_view, 9> kInorganic = {"O=C=O", "OC(=O)O", "C#N",       "N#CS", "N=C=S",
                                                        "N=C=O", "OC#N",    "[C-]#[O+]", "S=C=S"};

/// The acids are the counter-ions with carbon from RDKit's FragmentRemover and Salts.txt, and further acids
/// that form salts with drugs and screening compounds. The solvents occur in crystals and registered
/// compounds.
constexpr auto kAcidsAndSolvents = std::to_array<std::string_view>(
    {// carboxylic acids
     "OC=O", "CC(=O)O", "CCC(=O)O", "OC(=O)C(F)(F)F", "OC(=O)C(Cl)(Cl)Cl", "OCC(=O)O", "CC(O)C(=O)O",
     "OC(=O)C(=O)O", "OC(=O)CC(=O)O", "OC(=O)CCC(=O)O", "OC(=O)C=CC(=O)O", "OC(=O)C(O)C(O)C(=O)O",
     "OC(=O)CC(O)C(=O)O", "OC(=O)CC(O)(CC(=O)O)C(=O)O", "OCC(O)C(O)C(O)C(O)C(=O)O", "OC(=O)c1ccccc1",
     "OC(=O)C(O)c1ccccc1", "OC(=O)CC(N)C(=O)O", "OC(=O)CCC(N)C(=O)O", "OC(=O)c1ccc2ccccc2c1O",
     "OC(=O)c1cc2ccccc2c(Cc2c(O)c(cc3ccccc23)C(O)=O)c1O", "CCCCCCCCCCCCCCCC(=O)O", "CCCCCCCCCCCCCCCCCC(=O)O",
     "CCCCCCCCC=CCCCCCCCC(=O)O", "OC(=O)c1cccnc1", "OCC(O)C1OC(=O)C(O)=C1O",
     // sulfonic acids and esters of sulfuric acid
     "CS(=O)(=O)O", "CCS(=O)(=O)O", "OCCS(=O)(=O)O", "OS(=O)(=O)CCS(=O)(=O)O", "OS(=O)(=O)C(F)(F)F",
     "OS(=O)(=O)c1ccccc1", "Cc1ccc(cc1)S(=O)(=O)O", "OS(=O)(=O)c1ccc(Cl)cc1", "OS(=O)(=O)c1ccc2ccccc2c1",
     "OS(=O)(=O)c1cccc2c(cccc12)S(=O)(=O)O", "CC1(C)C2CCC1(CS(=O)(=O)O)C(=O)C2", "COS(=O)(=O)O",
     "CCOS(=O)(=O)O", "CCCCCCCCCCCCOS(=O)(=O)O",
     // others
     "Oc1c(cc(cc1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]", "c1ccc(cc1)[B-](c1ccccc1)(c1ccccc1)c1ccccc1",
     // solvents
     "CO", "CCO", "CCCO", "CC(C)O", "CCCCO", "OCCO", "CC(C)=O", "CC(=O)CC", "CC#N", "CN(C)C=O", "CN(C)C(C)=O",
     "CS(C)=O", "C[S+](C)[O-]", "C1CCOC1", "C1COCCO1", "CCOCC", "COC(C)(C)C", "CCOC(C)=O", "ClCCl",
     "ClC(Cl)Cl", "c1ccccc1", "Cc1ccccc1", "CCCCCC", "CCCCCCC"});

constexpr auto kBases = std::to_array<std::string_view>({"CN",
                                                         "CNC",
                                                         "CN(C)C",
                                                         "CCN",
                                                         "CCNCC",
                                                         "CCN(CC)CC",
                                                         "CCN(C(C)C)C(C)C",
                                                         "CC(C)(C)N",
                                                         "NC1CCCCC1",
                                                         "C1CCC(CC1)NC1CCCCC1",
                                                         "NCCO",
                                                         "OCCNCCO",
                                                         "OCCN(CCO)CCO",
                                                         "NCCN",
                                                         "C1CNCCN1",
                                                         "C1COCCN1",
                                                         "NC(CO)(CO)CO",
                                                         "CNCC(O)C(O)C(O)C(O)CO",
                                                         "NCCCCC(N)C(=O)O",
                                                         "NC(=N)NCCCC(N)C(=O)O",
                                                         "c1ccc(cc1)CNCCNCc1ccccc1",
                                                         "c1ccncc1",
                                                         "C1CCNC1",
                                                         "C1CCNCC1",
                                                         "NC(=N)N",
                                                         "C[N+](C)(C)CCO",
                                                         "C[N+](C)(C)C",
                                                         "CC[N+](CC)(CC)CC",
                                                         "CCCC[N+](CCCC)(CCCC)CCCC"});

using Roles = std::unordered_map<std::string, FragmentRole>;

Roles make_roles() {
  Roles roles;
  const auto add = [&](const auto& list, FragmentRole role) {
    for (const std::string_view text : list) {
      const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(std::string(text)));
      roles.emplace(RDKit::MolToSmiles(*molecule), role);
    }
  };
  add(kInorganic, FragmentRole::inorganic);
  add(kAcidsAndSolvents, FragmentRole::acid);
  add(kBases, FragmentRole::base);
  return roles;
}

}  // namespace

FragmentRole role_of(const std::string& smiles) {
  static const Roles roles = make_roles();
  const auto found = roles.find(smiles);
  return found == roles.end() ? FragmentRole::main : found->second;
}

}  // namespace molgauge::chem
