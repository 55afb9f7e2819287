#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "molecules/datasets/good_split.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

/// The mean of the known labels of each row, from the columns of a set in good_molecules.csv.
std::vector<float> mean_labels(const std::string& set) {
  auto lines = test::read_plain_csv(test::reference_data("ood/good_molecules.csv"));
  const auto header = lines.front();
  lines.erase(lines.begin());
  std::vector<float> means;
  for (const auto& fields : lines) {
    double sum = 0, known = 0;
    for (std::size_t column = 1; column < header.size(); ++column) {
      if (header[column].starts_with(set) && !fields[column].empty()) {
        sum += std::stod(fields[column]);
        ++known;
      }
    }
    means.push_back(known > 0 ? static_cast<float>(sum / known) : 0.0F);
  }
  return means;
}

void expect_reference(const io::TensorMap& arrays, const std::string& set, const std::string& domain) {
  SCOPED_TRACE(set + "." + domain);
  const auto rows_of = [&](const std::string& name) {
    return test::to_rows(arrays.at(set + "." + domain + "." + name));
  };
  const DomainTable domains = domains_by_value(rows_of("domain_id"));
  const bool descending = set == "zinc" || domain == "size";
  const std::size_t rows = domains.domain_of_row.size();
  PythonRandom random(test::find_seed([&](std::uint64_t seed) {
    PythonRandom tried(seed);
    return good_no_shift_split(rows, tried).parts.train == rows_of("no_shift.train");
  }));

  const GoodSplit random_split = good_no_shift_split(rows, random);
  EXPECT_EQ(random_split.parts.train, rows_of("no_shift.train"));
  EXPECT_EQ(random_split.train_environment, rows_of("no_shift.train_env"));
  EXPECT_EQ(random_split.parts.ood_val, rows_of("no_shift.val"));
  EXPECT_EQ(random_split.parts.ood_test, rows_of("no_shift.test"));

  const GoodSplit split =
      good_covariate_split(domains, descending ? DomainOrder::descending : DomainOrder::ascending, random);
  EXPECT_EQ(split.parts.train, rows_of("covariate.train"));
  EXPECT_EQ(split.train_environment, rows_of("covariate.train_env"));
  EXPECT_EQ(split.parts.iid_val, rows_of("covariate.id_val"));
  EXPECT_EQ(split.parts.iid_test, rows_of("covariate.id_test"));
  EXPECT_EQ(split.parts.ood_val, rows_of("covariate.val"));
  EXPECT_EQ(split.parts.ood_test, rows_of("covariate.test"));

  const auto style = set == "zinc" ? GoodStyle::values : GoodStyle::classes;
  const GoodSplit concept_split = good_concept_split(domains, mean_labels(set), style, random);
  EXPECT_EQ(concept_split.parts.train, rows_of("concept.train"));
  EXPECT_EQ(concept_split.train_environment, rows_of("concept.train_env"));
  EXPECT_EQ(concept_split.parts.iid_val, rows_of("concept.id_val"));
  EXPECT_EQ(concept_split.parts.iid_test, rows_of("concept.id_test"));
  EXPECT_EQ(concept_split.parts.ood_val, rows_of("concept.val"));
  EXPECT_EQ(concept_split.parts.ood_test, rows_of("concept.test"));
}

TEST(GoodSplitParity, EqualsTheReferenceRowForRow) {
  REQUIRE_REFERENCE("ood/good_splits.npz");
  const auto arrays = io::read_npz(test::reference_data("ood/good_splits.npz"));
  for (const char* set : {"hiv", "pcba", "zinc"}) {
    expect_reference(arrays, set, "scaffold");
    expect_reference(arrays, set, "size");
  }
}

}  // namespace
}  // namespace molgauge::datasets
