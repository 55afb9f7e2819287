// Tests benchmarks that are made from tables of measurements, and benchmarks with several labels.
// make_benchmark_test.cpp has the other cases.

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tables/drugood_json.h"
#include "molecules/datasets/make_benchmark.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using io::DrugOodPart;
using testing::HasSubstr;

/// Alcohols with `first` to `last` carbons, measured in an assay.
std::string assay(int id, int first, int last) {
  std::string rows;
  for (int carbons = first; carbons <= last; ++carbons) {
    rows += std::string(static_cast<std::size_t>(carbons), 'C') + "O," + std::to_string(carbons % 4 + 4) +
            ".5," + std::to_string(id) + ",=\n";
  }
  return rows;
}

/// Assays 1 to 6 with 20, 15, 10, 8, 7 and 6 different molecules.
std::string six_assays() {
  return "smiles,value,assay,relation\n" + assay(6, 61, 66) + assay(1, 1, 20) + assay(2, 21, 35) +
         assay(3, 36, 45) + assay(4, 46, 53) + assay(5, 54, 60);
}

struct Job {
  explicit Job(const std::string& csv) {
    request.molecules = folder / "measurements.csv";
    replace_file(request.molecules, csv);
    request.label_columns = {"value"};
    request.table.assay_column = "assay";
    request.table.relation_column = "relation";
    request.domain = DomainKind::assay;
    request.out = folder / "bench.json";
    request.quiet = true;
  }
  io::DrugOodFile make() {
    report = make_benchmark(request);
    return io::read_drugood_json(request.out);
  }
  std::string refusal() const {
    try {
      make_benchmark(request);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  test::TemporaryFolder folder;
  SplitRequest request;
  SplitReport report;
};

std::set<std::int64_t> assays(const io::DrugOodFile& file, DrugOodPart part) {
  std::set<std::int64_t> ids;
  for (const auto& item : file[part]) {
    ids.insert(item.assay_id);
  }
  return ids;
}

std::map<std::string, io::DrugOodItem> by_text(const io::DrugOodFile& file) {
  std::map<std::string, io::DrugOodItem> items;
  for (const auto part : io::kDrugOodParts) {
    for (const auto& item : file[part]) {
      items[item.smiles] = item;
    }
  }
  return items;
}

TEST(MakeMeasurementBenchmark, TrainsOnTheLargestAssays) {
  Job job(six_assays());
  const auto file = job.make();
  EXPECT_EQ(job.report.domains, 6U);
  EXPECT_EQ(assays(file, DrugOodPart::train), (std::set<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(assays(file, DrugOodPart::ood_val), (std::set<std::int64_t>{4}));
  EXPECT_EQ(assays(file, DrugOodPart::ood_test), (std::set<std::int64_t>{5, 6}));
  EXPECT_EQ(file[DrugOodPart::train].size(), 12U + 9 + 6);
  EXPECT_EQ(file.cfg.at("algorithm"), "drugood");
  EXPECT_EQ(file.cfg.at("assay_column"), "assay");
}

TEST(MakeMeasurementBenchmark, MergesMeasurementsAndShiftsCensoredOnes) {
  Job job(six_assays() + "CO,7.5,9,>\nCCO,6.5,9,<\n");
  const auto items = by_text(job.make());
  EXPECT_EQ(job.report.duplicates, 2U);
  EXPECT_EQ(items.at("CO").reg_label, (5.5 + 8.5) / 2);
  EXPECT_EQ(items.at("CCO").reg_label, (6.5 + 5.5) / 2);
  EXPECT_EQ(items.at("CO").assay_id, 1) << "the first measurement's assay";
}

TEST(MakeMeasurementBenchmark, MergesSpellingsUnlessTheyAreToBeKept) {
  Job job(six_assays() + "OCC,8.5,9,=\n");
  EXPECT_EQ(by_text(job.make()).count("OCC"), 0U);
  EXPECT_EQ(job.report.respelled, 1U);
  EXPECT_EQ(job.report.duplicates, 0U);
  job.request.keep_spellings = true;
  EXPECT_EQ(by_text(job.make()).count("OCC"), 1U);
  EXPECT_EQ(job.report.respelled, 0U);
}

TEST(MakeMeasurementBenchmark, LeavesOutWhatDrugoodLeavesOut) {
  Job job(six_assays() + "CCOC,,1,=\nCCOC,5,,=\n[Na+].[Cl-],5,1,=\nC,5,1,=\n");
  const auto items = by_text(job.make());
  EXPECT_EQ(job.report.unlabelled, 1U);
  EXPECT_EQ(job.report.filtered, 1U);
  EXPECT_EQ(job.report.bondless, 2U);
  EXPECT_EQ(items.size(), 66U);
}

TEST(MakeMeasurementBenchmark, FiltersAssaysWhenASubsetIsNamed) {
  Job job(six_assays());
  job.request.table.subset = AssaySubset::general;
  job.request.algorithm = SplitAlgorithm::drugood;
  const std::string refusal = job.refusal();
  EXPECT_THAT(refusal, HasSubstr("too few molecules or domains")) << "three assays of ten and more are left";
  job.request.domain = DomainKind::size;
  EXPECT_THAT(job.refusal(), HasSubstr("too few molecules or domains"));
  job.request.table.subset = AssaySubset::core;
  EXPECT_THAT(job.refusal(), HasSubstr("66 were filtered out"));
}

TEST(MakeMeasurementBenchmark, RefusesFieldsThatAreNotWhatTheyShouldBe) {
  EXPECT_THAT(Job(six_assays() + "CCOC,5,CHEMBL1,=\n").refusal(),
              HasSubstr("measurements.csv:68: assay is 'CHEMBL1', an integer was expected"));
  EXPECT_THAT(Job(six_assays() + "CCOC,5,1,approx\n").refusal(),
              HasSubstr("relation is 'approx', one of = ~ < <= > >= was expected"));
  EXPECT_THAT(Job("smiles,value,assay,relation\n" + assay(1, 1, 20)).refusal(),
              HasSubstr("all 20 molecules have the same assay (1)"));
}

/// Alkanes of 2 to 61 carbons with two tasks: one is known for the even lengths, the other for every third
/// length.
std::string two_tasks() {
  std::string csv = "smiles,a,b\n";
  for (int carbons = 2; carbons < 62; ++carbons) {
    csv += std::string(static_cast<std::size_t>(carbons), 'C') + (carbons % 2 == 0 ? ",1," : ",,") +
           (carbons % 3 == 0 ? "0\n" : "\n");
  }
  return csv;
}

/// A request without measurements.
void use_labels(Job& job, std::vector<std::string> columns, DomainKind domain) {
  job.request.label_columns = std::move(columns);
  job.request.table = {};
  job.request.domain = domain;
}

TEST(MakeMultiTaskBenchmark, KeepsEveryLabelAndGoesByTheMeanOfTheKnown) {
  Job job(two_tasks());
  use_labels(job, {"a", "b"}, DomainKind::size);
  for (const Shift shift : {Shift::covariate, Shift::concept_shift, Shift::none}) {
    job.request.shift = shift;
    const auto file = job.make();
    EXPECT_EQ(job.report.unlabelled, 0U) << "a molecule without a known label stays";
    const auto items = by_text(file);
    EXPECT_EQ(items.size(), 60U);
    const auto& both = items.at(std::string(6, 'C'));
    EXPECT_EQ(both.labels, (std::vector<std::optional<double>>{1, 0}));
    EXPECT_EQ(both.reg_label, 0.5);
    EXPECT_EQ(both.cls_label, 1);
    const auto& none = items.at(std::string(5, 'C'));
    EXPECT_EQ(none.labels, (std::vector<std::optional<double>>{std::nullopt, std::nullopt}));
    EXPECT_EQ(none.reg_label, 0);
    for (const auto part : io::kDrugOodParts) {
      for (const auto& item : file[part]) {
        EXPECT_EQ(item.environment.has_value(), part == DrugOodPart::train);
      }
    }
  }
}

TEST(MakeMultiTaskBenchmark, StyleTellsWhoseRulesAreUsed) {
  std::string csv = "smiles,a\n";
  for (int ring = 3; ring < 63; ++ring) {  // cycloalkanes, each of which is a separate scaffold
    csv +=
        "C1" + std::string(static_cast<std::size_t>(ring) - 2, 'C') + "C1," + std::to_string(ring % 2) + "\n";
  }
  Job job(csv);
  use_labels(job, {"a"}, DomainKind::scaffold);
  const auto classes = job.make();
  job.request.style = GoodStyle::values;
  const auto values = job.make();
  EXPECT_GT(classes[DrugOodPart::ood_test].front().domain_id, 50) << "the last domains are tested on";
  EXPECT_LT(values[DrugOodPart::ood_test].front().domain_id, 10) << "the first ones, as for ZINC";
}

}  // namespace
}  // namespace molgauge::datasets
