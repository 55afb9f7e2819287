#include "molecules/verbs/domain/domain_needs.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "molecules/chem/perceiving_bytes.h"

namespace molgauge::verbs {
namespace {

session::MoleculeList list_of(const std::vector<std::size_t>& atoms) {
  session::MoleculeList list;
  for (const std::size_t count : atoms) {
    list.sizes.push_back({.atoms = count});
    ++list.records;
  }
  return list;
}

TEST(DomainNeeds, CountTheLargestMoleculesThatThreadsDescribeAtOnce) {
  const session::MoleculeList list = list_of({20, 900, 30, 1202, 25});
  EXPECT_EQ(bytes_of_describing(list, 1), chem::describing_bytes(1202));
  EXPECT_EQ(bytes_of_describing(list, 2), chem::describing_bytes(1202) + chem::describing_bytes(900));
  EXPECT_EQ(bytes_of_describing(list, 64), bytes_of_describing(list, 5)) << "more threads than molecules";
  EXPECT_EQ(bytes_of_describing({}, 2), 0U);
}

TEST(DomainNeeds, CountALargeMoleculeOnEitherSide) {
  const auto bytes_with = [](const session::MoleculeList& training, const session::MoleculeList& candidates) {
    return need_of_domain({.training = training_sizes(training, 512, DomainMethod::combined, 1),
                           .candidates = candidates.records,
                           .page_rows = 10,
                           .width = 512,
                           .describing_bytes = bytes_of_describing(candidates, 1)})
        .host_bytes;
  };
  const session::MoleculeList small = list_of(std::vector<std::size_t>(100, 20));
  session::MoleculeList large = small;
  large.sizes.back().atoms = 3000;
  const std::uint64_t none = bytes_with(small, small), in_training = bytes_with(large, small),
                      in_candidates = bytes_with(small, large), in_both = bytes_with(large, large);
  EXPECT_GT(in_training, chem::describing_bytes(3000));
  EXPECT_GT(in_candidates, none + chem::describing_bytes(2900));
  EXPECT_EQ(in_both, std::max(in_training, in_candidates)) << "training is described before the candidates";
}

}  // namespace
}  // namespace molgauge::verbs
