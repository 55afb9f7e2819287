// Compares the files of `molgauge split` with the files of the reference programs for the same tables.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/random/python_random.h"
#include "base/io/tables/drugood_json.h"
#include "base/io/tensors/npz.h"
#include "molecules/datasets/good_split.h"
#include "molecules/datasets/make_benchmark.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using io::DrugOodPart;

SplitRequest reference_request(const test::TemporaryFolder& folder, const char* table, std::uint64_t seed) {
  SplitRequest request;
  request.molecules = test::reference_data(std::string("ood/") + table).string();
  request.out = (folder / "bench.json").string();
  request.seed = seed;
  request.quiet = true;
  return request;
}

/// The molecules of each training domain of a DrugOOD file. The order of the domains and molecules is the
/// shuffled order in the file.
std::vector<std::vector<std::string>> shuffled_domains(const nlohmann::json& split) {
  std::vector<std::vector<std::string>> domains;
  std::map<std::int64_t, std::size_t> places;  // positions of the domains that have molecules in train
  for (const char* const part : {"train", "iid_val", "iid_test"}) {
    for (const auto& item : split.at(part)) {
      const auto domain = item.at("domain_id").get<std::int64_t>();
      if (part == std::string("train") && places.emplace(domain, domains.size()).second) {
        domains.emplace_back();
      }
      if (const auto place = places.find(domain); place != places.end()) {
        domains[place->second].push_back(item.at("smiles"));
      }
    }
  }
  return domains;
}

/// The seed of a DrugOOD file. A domain of one molecule uses no random number. All other domains have
/// molecules in train.
std::uint64_t seed_of(const nlohmann::json& split, const std::string& table) {
  std::map<std::string, std::size_t> line_of;
  const auto lines = test::read_plain_csv(table);
  for (std::size_t line = lines.size(); line-- > 1;) {
    line_of[lines[line].front()] = line;
  }
  const auto domains = shuffled_domains(split);
  return test::find_seed([&](std::uint64_t seed) {
    PythonRandom random(seed);
    return std::ranges::all_of(domains, [&](const std::vector<std::string>& expected) {
      std::vector<std::string> domain = expected;
      std::ranges::sort(domain, {}, [&](const std::string& smiles) { return line_of.at(smiles); });
      random.shuffle(domain);
      return domain == expected;
    });
  });
}

class DrugoodCurationParity : public testing::TestWithParam<const char*> {};

TEST_P(DrugoodCurationParity, EqualsTheReferenceItemForItem) {
  REQUIRE_REFERENCE("ood/drugood_measurements.csv");
  const test::TemporaryFolder folder;
  const std::string domain = GetParam();
  const auto reference =
      nlohmann::json::parse(read_file(test::reference_data("ood/lbap_general_ec50_" + domain + ".json")));
  const std::uint64_t seed =
      seed_of(reference.at("split"), test::reference_data("ood/drugood_measurements.csv"));
  for (const bool keep_spellings : {false, true}) {
    SplitRequest request = reference_request(folder, "drugood_measurements.csv", seed);
    request.label_columns = {"reg_label"};
    request.table.assay_column = "assay_id";
    request.table.relation_column = "relation";
    request.domain = from_word<DomainKind>(domain).value();
    request.algorithm = SplitAlgorithm::drugood;
    request.keep_spellings = keep_spellings;
    make_benchmark(request);
    const auto written = nlohmann::json::parse(read_file(request.out));
    EXPECT_EQ(written["split"], reference["split"]);
    EXPECT_EQ(written["statistics"], reference["statistics"]);
  }
}

INSTANTIATE_TEST_SUITE_P(Domains, DrugoodCurationParity, testing::Values("assay", "scaffold", "size"));

/// The columns of good_molecules.csv from which a set of good_splits.npz is made.
std::vector<std::string> label_columns_of(const std::string& set) {
  std::vector<std::string> columns;
  const auto lines = test::read_plain_csv(test::reference_data("ood/good_molecules.csv"));
  for (const auto& name : lines.front()) {
    if (name.starts_with(set)) {
      columns.push_back(name);
    }
  }
  return columns;
}

/// Compares the file of the request with the arrays <set>.<domain>.<shift>.<part>.
void expect_good_split(const SplitRequest& request, const std::string& set, const io::TensorMap& arrays) {
  const std::string shift = request.shift == Shift::none ? "no_shift" : to_string(request.shift);
  const std::string prefix = set + "." + to_string(request.domain) + "." + shift + ".";
  SCOPED_TRACE(prefix);
  make_benchmark(request);
  const auto file = io::read_drugood_json(request.out);

  std::map<std::string, std::size_t> row_of_text;
  auto lines = test::read_plain_csv(request.molecules);
  for (std::size_t line = 1; line < lines.size(); ++line) {
    row_of_text[lines[line].front()] = line - 1;
  }
  const auto domain_ids = test::to_rows(arrays.at(set + "." + to_string(request.domain) + ".domain_id"));
  const auto expect_part = [&](DrugOodPart part, const char* name) {
    std::vector<std::size_t> rows;
    for (const auto& item : file[part]) {
      rows.push_back(row_of_text.at(item.smiles));
      EXPECT_EQ(item.domain_id, static_cast<std::int64_t>(domain_ids[rows.back()]));
    }
    const auto expected = arrays.find(prefix + name);
    EXPECT_EQ(rows, expected == arrays.end() ? std::vector<std::size_t>() : test::to_rows(expected->second))
        << name;
  };
  expect_part(DrugOodPart::train, "train");
  expect_part(DrugOodPart::iid_val, "id_val");
  expect_part(DrugOodPart::iid_test, "id_test");
  expect_part(DrugOodPart::ood_val, "val");
  expect_part(DrugOodPart::ood_test, "test");
  std::vector<std::size_t> environments;
  for (const auto& item : file[DrugOodPart::train]) {
    environments.push_back(static_cast<std::size_t>(item.environment.value()));
  }
  EXPECT_EQ(environments, test::to_rows(arrays.at(prefix + "train_env")));
}

TEST(GoodBenchmarkParity, EqualsTheReferenceRowForRow) {
  REQUIRE_REFERENCE("ood/good_splits.npz");
  const auto arrays = io::read_npz(test::reference_data("ood/good_splits.npz"));
  const test::TemporaryFolder folder;
  for (const std::string set : {"hiv", "pcba", "zinc"}) {
    for (const std::string domain : {"scaffold", "size"}) {
      const std::size_t rows = test::to_rows(arrays.at(set + "." + domain + ".domain_id")).size();
      const auto drawn = test::to_rows(arrays.at(set + "." + domain + ".no_shift.train"));
      const std::uint64_t seed = test::find_seed([&](std::uint64_t tried) {
        PythonRandom random(tried);
        return good_no_shift_split(rows, random).parts.train == drawn;
      });
      for (const Shift shift : {Shift::none, Shift::covariate, Shift::concept_shift}) {
        SplitRequest request = reference_request(folder, "good_molecules.csv", seed);
        request.label_columns = label_columns_of(set);
        request.domain = from_word<DomainKind>(domain).value();
        request.shift = shift;
        expect_good_split(request, set, arrays);
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::datasets
