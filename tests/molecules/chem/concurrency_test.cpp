#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/threads/worker_group.h"
#include "records.h"

namespace molgauge::chem {
namespace {

const std::vector<std::string> kTexts = {"CC(=O)Oc1ccccc1C(=O)O",
                                         "C1CC",
                                         "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
                                         "CC(",
                                         "c1cccc1",
                                         "[2H]C([2H])([2H])O",
                                         "C/C=C/[C@H](F)Cl",
                                         "xyz",
                                         "[Na+].[Cl-]",
                                         "",
                                         "[H]OC",
                                         "C(C)(C)(C)(C)C"};

/// Returns all properties of a record as text.
std::string outcome(const std::string& text) {
  const MoleculeRecord record = test::smiles_record(text);
  std::string description = test::refusal(record);
  if (description.empty()) {
    Perception wanted;
    wanted.morgan = true;
    const Molecule molecule = perceive(record, wanted);
    for (const Atom& atom : molecule.atoms) {
      description += std::to_string(atom.atomic_number) + "@" + std::to_string(atom.text_index) + " ";
    }
    for (const auto& [index, count] : molecule.morgan) {
      description += std::to_string(index) + ":" + std::to_string(count) + " ";
    }
  }
  return description;
}

TEST(Concurrency, ManyThreadsGetWhatOneGets) {
  constexpr std::size_t kCalls = 4000, kThreads = 8;
  std::vector<std::string> outcomes(kCalls);
  parallel_for(kCalls, kThreads, [&](std::size_t i) { outcomes[i] = outcome(kTexts[i % kTexts.size()]); });
  for (std::size_t i = 0; i < kCalls; ++i) {
    ASSERT_EQ(outcomes[i], outcome(kTexts[i % kTexts.size()])) << "call " << i;
  }
}

}  // namespace
}  // namespace molgauge::chem
