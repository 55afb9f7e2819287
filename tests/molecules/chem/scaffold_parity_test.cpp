#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "molecules/chem/identity.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

std::vector<std::string> good_molecules() {
  std::ifstream file(test::reference_data("ood/good_molecules.csv"));
  std::string line;
  std::getline(file, line);
  std::vector<std::string> molecules;
  while (std::getline(file, line)) {
    molecules.push_back(line.substr(0, line.find(',')));
  }
  return molecules;
}

/// The rank of each value among the distinct values, in ascending order. This is the domain id of GOOD.
template <typename Value>
std::vector<float> domain_ids(const std::vector<Value>& values) {
  std::vector<Value> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<float> ids;
  for (const Value& value : values) {
    ids.push_back(
        static_cast<float>(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin()));
  }
  return ids;
}

template <typename Domain>
auto domains(const Domain& domain) {
  std::vector<decltype(domain(MoleculeRecord()))> values;
  for (const std::string& molecule : good_molecules()) {
    values.push_back(domain(test::smiles_record(molecule)));
  }
  return values;
}

TEST(ScaffoldParity, DomainsOfGood) {
  REQUIRE_REFERENCE("ood/good_splits.npz");
  const auto splits = test::reference_data("ood/good_splits.npz");
  EXPECT_EQ(domain_ids(domains(
                [](const MoleculeRecord& record) { return identify(record, true).scaffold.value().smiles; })),
            io::read_npz(splits, "hiv.scaffold.domain_id").to_float32());
  EXPECT_EQ(domain_ids(domains([](const MoleculeRecord& record) { return identify(record, false).atoms; })),
            io::read_npz(splits, "hiv.size.domain_id").to_float32());
}

}  // namespace
}  // namespace molgauge::chem
