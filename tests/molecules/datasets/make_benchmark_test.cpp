#include "molecules/datasets/make_benchmark.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tables/drugood_json.h"
#include "molecules/datasets/load_benchmark.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using io::DrugOodPart;
using testing::AllOf;
using testing::HasSubstr;

/// Alkanes of 1 to 60 carbons. The label is 1 from 31 carbons on, and the value is a tenth of the length.
std::string alkanes() {
  std::string csv = "smiles,active,value\n";
  for (int length = 1; length <= 60; ++length) {
    csv += std::string(static_cast<std::size_t>(length), 'C') + (length > 30 ? ",1," : ",0,") +
           std::to_string(length / 10) + "." + std::to_string(length % 10) + "\n";
  }
  return csv;
}

/// A request, with a separate folder, that splits `csv` by size.
struct Job {
  explicit Job(const std::string& csv) {
    request.molecules = folder / "molecules.csv";
    replace_file(request.molecules, csv);
    request.label_columns = {"active"};
    request.domain = DomainKind::size;
    request.out = folder / "bench.json";
    request.quiet = true;
  }
  io::DrugOodFile written() const { return io::read_drugood_json(request.out); }
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
};

std::set<std::size_t> sizes(const io::DrugOodFile& file, DrugOodPart part) {
  std::set<std::size_t> result;
  for (const auto& item : file[part]) {
    result.insert(item.smiles.size());
  }
  return result;
}

double statistic(const io::DrugOodFile& file, const char* name) {
  return file.statistics.at(name).get<double>();
}

TEST(MakeBenchmark, GoodTrainsOnTheLargeMolecules) {
  const Job job(alkanes());
  const SplitReport report = make_benchmark(job.request);
  const auto file = job.written();
  EXPECT_EQ(report.rows, 60U);
  EXPECT_EQ(report.domains, 60U);
  EXPECT_TRUE(report.failed.empty());
  EXPECT_EQ(report.part_sizes.at("train"), 36U);
  EXPECT_EQ(report.part_sizes.at("iid_val"), 6U);
  EXPECT_EQ(report.part_sizes.at("iid_test"), 6U);
  EXPECT_EQ(sizes(file, DrugOodPart::ood_val), (std::set<std::size_t>{7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(sizes(file, DrugOodPart::ood_test), (std::set<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(statistic(file, "thr_for_cls"), 0.5);
  EXPECT_EQ(statistic(file, "positive_samples"), 30);
  for (const auto& item : file[DrugOodPart::train]) {
    EXPECT_EQ(item.cls_label, item.smiles.size() > 30 ? 1 : 0);
    EXPECT_EQ(item.domain_id, static_cast<std::int64_t>(item.smiles.size()) - 1)
        << "sizes in ascending order";
  }
}

TEST(MakeBenchmark, DrugoodTrainsOnTheLargeMoleculesToo) {
  Job job("smiles,active\n" + [] {
    std::string rows;
    for (int copy = 0; copy < 8; ++copy) {  // eight isomers of each size
      for (int length = 10; length < 20; ++length) {
        std::string smiles(static_cast<std::size_t>(length), 'C');
        smiles[static_cast<std::size_t>(copy)] = 'N';
        rows += smiles + "," + std::to_string(copy % 2) + "\n";
      }
    }
    return rows;
  }());
  job.request.algorithm = SplitAlgorithm::drugood;
  const SplitReport report = make_benchmark(job.request);
  const auto file = job.written();
  EXPECT_EQ(report.domains, 10U);
  EXPECT_EQ(sizes(file, DrugOodPart::train), (std::set<std::size_t>{14, 15, 16, 17, 18, 19}));
  EXPECT_EQ(sizes(file, DrugOodPart::ood_val), (std::set<std::size_t>{12, 13}));
  EXPECT_EQ(sizes(file, DrugOodPart::ood_test), (std::set<std::size_t>{10, 11}));
  EXPECT_EQ(file[DrugOodPart::train].size(), 6U * 4);
  EXPECT_EQ(file[DrugOodPart::train][0].domain_id, 9) << "in order of appearance";
}

TEST(MakeBenchmark, ValuesBecomeClassesAtAThreshold) {
  Job job(alkanes());
  job.request.label_columns = {"value"};
  make_benchmark(job.request);
  const auto file = job.written();
  std::vector<double> values;
  for (const auto& item : file[DrugOodPart::train]) {
    values.push_back(item.reg_label);
  }
  std::sort(values.begin(), values.end());
  const double median = values[values.size() / 2];
  EXPECT_EQ(statistic(file, "thr_for_cls"), median);
  for (const auto& item : file[DrugOodPart::ood_test]) {
    EXPECT_EQ(item.cls_label, 0);
    EXPECT_EQ(item.reg_label, static_cast<double>(item.smiles.size()) / 10);
  }

  job.request.algorithm = SplitAlgorithm::drugood;
  EXPECT_THAT(job.refusal(),
              AllOf(HasSubstr("too few molecules or domains"), HasSubstr("train would have 0")))
      << "every domain holds one molecule";
}

// If a table gives one molecule the labels 0 and 1, its labels are still classes. The threshold is then 0.5,
// and not a threshold of values.
TEST(MakeBenchmark, ClassesStayClassesWhereAMoleculeWasCalledBoth) {
  std::string csv = "smiles,active\n";
  for (std::size_t length = 1; length <= 20; ++length) {
    for (const char* end : {"CC", "CO", "CN"}) {
      csv += std::string(length, 'C') + end + (length > 10 ? ",1\n" : ",0\n");
    }
  }
  Job job(csv + "CCCCC,1\n");  // the table also has this molecule with label 0
  job.request.algorithm = SplitAlgorithm::drugood;
  make_benchmark(job.request);
  const auto file = job.written();
  EXPECT_EQ(statistic(file, "thr_for_cls"), 0.5);
  for (const auto part : io::kDrugOodParts) {
    for (const auto& item : file[part]) {
      EXPECT_EQ(item.cls_label, item.smiles.size() > 12 || item.smiles == "CCCCC" ? 1 : 0) << item.smiles;
    }
  }
}

TEST(MakeBenchmark, WithoutALabelColumnEveryLabelIsZero) {
  Job job(alkanes());
  job.request.label_columns.clear();
  make_benchmark(job.request);
  EXPECT_EQ(statistic(job.written(), "positive_samples"), 0);
}

TEST(MakeBenchmark, ReportsWhatItLeavesOut) {
  const Job job(alkanes() + "C1CC,1,1\nCCCCCCCCO,,1\nCCCC,1,9\n");
  const SplitReport report = make_benchmark(job.request);
  EXPECT_EQ(report.rows, 63U);
  EXPECT_EQ(report.unlabelled, 1U);
  EXPECT_EQ(report.duplicates, 1U);
  ASSERT_EQ(report.failed.size(), 1U);
  EXPECT_EQ(report.failed[0].line, 62U);
  EXPECT_EQ(report.failed[0].text, "C1CC");
  const auto file = job.written();
  for (const auto& item : file[DrugOodPart::ood_test]) {
    EXPECT_EQ(item.cls_label, 0) << "the first of equal texts counts";
  }
}

TEST(MakeBenchmark, StrictStopsAtWhatIsNoMolecule) {
  Job job(alkanes() + "C1CC,1,1\n");
  job.request.strict = true;
  EXPECT_THAT(job.refusal(), HasSubstr("molecules.csv:62: 'C1CC' is not a molecule: "));
  EXPECT_FALSE(std::filesystem::exists(job.request.out));
}

TEST(MakeBenchmark, WithoutShiftThePartsAreDrawnAtRandom) {
  Job job(alkanes());
  job.request.shift = Shift::none;
  const SplitReport report = make_benchmark(job.request);
  EXPECT_EQ(report.part_sizes.at("train"), 36U);
  EXPECT_EQ(report.part_sizes.at("iid_val"), 0U) << "the loader draws these from train";
  EXPECT_EQ(report.part_sizes.at("iid_test"), 0U);
  EXPECT_EQ(report.part_sizes.at("ood_val"), 12U);
  EXPECT_EQ(report.part_sizes.at("ood_test"), 12U);
  const auto file = job.written();
  std::set<std::size_t> all;
  for (const auto part : io::kDrugOodParts) {
    all.merge(sizes(file, part));
  }
  EXPECT_EQ(all.size(), 60U);
}

TEST(MakeBenchmark, SameSeedSameBytes) {
  Job job(alkanes());
  make_benchmark(job.request);
  const auto first = read_file(job.request.out);
  job.request.threads = 3;
  make_benchmark(job.request);
  EXPECT_EQ(read_file(job.request.out), first);
  job.request.seed = 43;
  make_benchmark(job.request);
  EXPECT_NE(read_file(job.request.out), first);
}

TEST(MakeBenchmark, MakesWhatTheLoaderAccepts) {
  const Job job(alkanes() + alkanes().substr(alkanes().find('\n') + 1));
  EXPECT_EQ(make_benchmark(job.request).duplicates, 60U);
  const OodBenchmark benchmark =
      load_ood_benchmark(job.request.out, {.train_size = 0, .val_size = 0, .test_size = 0});
  EXPECT_EQ(benchmark.train_id.size(), 36U);
  EXPECT_EQ(benchmark.val_ood.size(), 2U);
  EXPECT_EQ(benchmark.train_ood.size(), 4U);
}

TEST(MakeBenchmark, TheLoaderTakesEveryShiftAndKeepsItsValues) {
  Job job(alkanes());
  job.request.label_columns = {"value"};
  for (const Shift shift : {Shift::covariate, Shift::concept_shift, Shift::none}) {
    job.request.shift = shift;
    make_benchmark(job.request);
    const OodBenchmark benchmark = load_ood_benchmark(job.request.out, {});
    std::vector<double> values;
    for (const auto& molecule : benchmark.train_id) {
      values.push_back(molecule.value);
    }
    std::sort(values.begin(), values.end());
    for (const auto& molecule : benchmark.test_id) {
      EXPECT_EQ(molecule.label, molecule.value >= values[values.size() / 2] ? 1 : 0) << to_string(shift);
    }
  }
}

TEST(MakeBenchmark, RefusesAnInvalidLabelNamingTheLine) {
  EXPECT_THAT(Job(alkanes() + "CCO,toxic,1\n").refusal(),
              HasSubstr("molecules.csv:62: 'toxic' in the column active is neither a number nor a class"));
  EXPECT_THAT(Job(alkanes() + "CCO,>1,1\n").refusal(),
              AllOf(HasSubstr("molecules.csv:62: '>1' in the column active is a censored value"),
                    HasSubstr("--relation-column")));
}

/// Names of classes and of missing labels give the same benchmark as 1, 0 and empty cells.
TEST(MakeBenchmark, ReadsNamesOfClassesAndMissingLabels) {
  const std::string numbers = alkanes() + "CCO,,1\n";
  std::string names;
  std::istringstream lines(numbers);
  for (std::string line; std::getline(lines, line); names += line + "\n") {
    const std::size_t at = line.find(',') + 1;
    if (line[at] == '1' || line[at] == '0') {
      line.replace(at, 1, line[at] == '1' ? "Active" : "inactive");
    } else if (line[at] == ',') {
      line.insert(at, "NA");
    }
  }
  ASSERT_NE(names, numbers);
  const Job by_number(numbers), by_name(names);
  const SplitReport report = make_benchmark(by_name.request);
  EXPECT_EQ(report.unlabelled, 1U);
  make_benchmark(by_number.request);
  EXPECT_EQ(read_file(by_name.request.out), read_file(by_number.request.out));
}

TEST(MakeBenchmark, RefusesAMissingLabelColumnListingThoseThereAre) {
  Job job(alkanes());
  job.request.label_columns = {"activity"};
  EXPECT_THAT(job.refusal(), AllOf(HasSubstr("activity"), HasSubstr("active"), HasSubstr("value")));
}

TEST(MakeBenchmark, RefusesOneSingleDomainAndSaysWhatToDo) {
  Job job(alkanes());
  job.request.domain = DomainKind::scaffold;
  EXPECT_THAT(job.refusal(), AllOf(HasSubstr("all 60 molecules have the same scaffold (none: acyclic)"),
                                   HasSubstr("Use --domain size")));
}

TEST(MakeBenchmark, RefusesTooFewMoleculesAndNone) {
  EXPECT_THAT(Job("smiles,active\nC,0\nCC,1\nCCC,1\n").refusal(), HasSubstr("too few molecules or domains"));
  EXPECT_THAT(Job("smiles,active\nC1,0\nCC,\n").refusal(),
              HasSubstr("no molecules to split: of 2 records, 1 have no label, 0 were filtered out and 1 are "
                        "invalid molecule"));
  EXPECT_THAT(Job("smiles,active\n").refusal(), HasSubstr("of 0 records"));
}

}  // namespace
}  // namespace molgauge::datasets
