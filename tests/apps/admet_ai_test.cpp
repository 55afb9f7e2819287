// Compares predictions of the ADMET-AI models with the predictions in the ADMET-AI wheel. The test is skipped
// without the wheel.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/bytes/zip.h"
#include "base/io/tables/csv_reader.h"
#include "command.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// Complexes of platinum, mercury and thallium. The RDKit version that made the published table perceives
/// them differently.
const std::set<std::string> kPerceivedDifferently = {"DB00958", "DB09406", "DB00515", "DB13145",
                                                     "DB00526", "DB09316", "DB16624"};
const std::set<std::string> kRegression = {"Caco2_Wang",
                                           "Clearance_Hepatocyte_AZ",
                                           "Clearance_Microsome_AZ",
                                           "Half_Life_Obach",
                                           "HydrationFreeEnergy_FreeSolv",
                                           "LD50_Zhu",
                                           "Lipophilicity_AstraZeneca",
                                           "PPBR_AZ",
                                           "Solubility_AqSolDB",
                                           "VDss_Lombardo"};

/// Returns the wheel of $MOLGAUGE_ADMET_AI_WHEEL, or a wheel that pip fetches. Returns an empty path if there
/// is none.
std::string find_wheel(const Workplace& place) {
  if (const char* const named = std::getenv("MOLGAUGE_ADMET_AI_WHEEL")) {
    return named;
  }
  const std::string folder = place.path("wheel");
  const std::string command =
      "python3 -m pip download --no-deps --quiet --disable-pip-version-check --timeout 5 "
      "--retries 0 --dest '" +
      folder + "' admet-ai==2.0.1 > /dev/null 2>&1";
  if (std::system(command.c_str()) != 0) {
    return "";
  }
  return folder + "/admet_ai-2.0.1-py3-none-any.whl";
}

/// The largest differences between published predictions and our predictions. A difference of a regression
/// task is divided by the published number, or by 1 if this number is smaller.
struct Differences {
  std::size_t tasks = 0, numbers = 0;
  double classification = 0, regression = 0;
};

Differences compare(const std::string& file) {
  io::CsvReader reader(file, ',');
  const std::vector<std::string> header = reader.next()->fields;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto own = std::find(header.begin(), header.end(), header[i] + "_2");
    if (own != header.end() && !header[i].starts_with("atc")) {
      pairs.emplace_back(i, static_cast<std::size_t>(own - header.begin()));
    }
  }
  const auto id = static_cast<std::size_t>(std::find(header.begin(), header.end(), "id") - header.begin());
  Differences found;
  found.tasks = pairs.size();
  while (const auto row = reader.next()) {
    if (kPerceivedDifferently.contains(row->fields.at(id))) {
      continue;
    }
    for (const auto& [published, own] : pairs) {
      const double wanted = std::stod(row->fields[published]);
      const double difference = std::abs(std::stod(row->fields[own]) - wanted);
      ++found.numbers;
      if (kRegression.contains(header[published])) {
        found.regression = std::max(found.regression, difference / std::max(1.0, std::abs(wanted)));
      } else {
        found.classification = std::max(found.classification, difference);
      }
    }
  }
  return found;
}

/// Compares the percentile of each task with the number of published predictions that are smaller. The
/// difference between our predictions and the published predictions moves a molecule by a few ranks.
void expect_percentiles(const std::string& file) {
  io::CsvReader reader(file, ',');
  const std::vector<std::string> header = reader.next()->fields;
  std::vector<std::vector<double>> columns(header.size());
  while (const auto row = reader.next()) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      double number = 0;
      std::from_chars(row->fields[i].data(), row->fields[i].data() + row->fields[i].size(), number);
      columns[i].push_back(number);
    }
  }
  std::size_t tasks = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto own = std::find(header.begin(), header.end(), header[i] + "_2_drugbank_approved_percentile");
    const auto plain = std::find(header.begin(), header.end(), header[i] + "_drugbank_approved_percentile");
    const auto found = own != header.end() ? own : plain;
    if (found == header.end()) {
      continue;
    }
    ++tasks;
    std::vector<double> ascending = columns[i];
    std::sort(ascending.begin(), ascending.end());
    const std::vector<double>& percentiles = columns[static_cast<std::size_t>(found - header.begin())];
    std::size_t far = 0;
    for (std::size_t row = 0; row < percentiles.size(); ++row) {
      const auto [first, last] = std::equal_range(ascending.begin(), ascending.end(), columns[i][row]);
      const double rank = (static_cast<double>(first - ascending.begin() + (last - ascending.begin())) + 1) *
                          50 / static_cast<double>(ascending.size());
      far += std::abs(percentiles[row] - rank) > 0.5 ? 1 : 0;
    }
    EXPECT_LE(far, kPerceivedDifferently.size()) << header[i];
  }
  EXPECT_EQ(tasks, 41U);
}

TEST(AdmetAi, PredictsAsThePublishedTable) {
  Workplace place;
  const std::string wheel = find_wheel(place);
  if (wheel.empty()) {
    GTEST_SKIP()
        << "the wheel of admet-ai 2.0.1 cannot be fetched with pip; name it in MOLGAUGE_ADMET_AI_WHEEL";
  }
  const std::string weights = place.path("weights");
  const Outcome missing =
      molgauge({"predict", "admet-ai", wheel, "--out", place.path("out.csv"), "--weights", weights});
  EXPECT_THAT(missing.err, HasSubstr("molgauge weights install admet-ai"));
  const Outcome installed =
      molgauge({"weights", "install", "admet-ai", "--from", wheel, "--weights", weights});
  ASSERT_EQ(installed.exit_code, 0) << installed.err;
  EXPECT_EQ(molgauge({"weights", "verify", "--weights", weights}).exit_code, 0);
  const std::vector<std::byte> table =
      io::ZipArchive(wheel).read("admet_ai/resources/data/drugbank_approved.csv");
  const std::string input =
      place.file("drugbank.csv", std::string(reinterpret_cast<const char*>(table.data()), table.size()));
  const std::string out = place.path("out.csv");
  const Outcome outcome = molgauge(
      {"predict", "admet-ai", input, "--out", out, "--weights", weights, "--store", place.path("store")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // Each task has one pair of columns: the published column, and our column with the suffix _2. The columns
  // of the ensemble spread form no pairs.
  const Differences found = compare(out);
  EXPECT_EQ(found.tasks, 41U);
  EXPECT_EQ(found.numbers, 41U * (2845 - kPerceivedDifferently.size()));
  EXPECT_LE(found.classification, 1e-5);
  EXPECT_LE(found.regression, 1e-5);
  expect_percentiles(out);
  EXPECT_THAT(outcome.err, HasSubstr("outside the plausible range"));
  // A changed checkpoint is refused.
  const std::string checkpoint = weights + "/admet-ai/models/admet_regression/model_0.pt";
  std::string bytes = read_file(checkpoint);
  bytes[1000] = static_cast<char>(bytes[1000] ^ 1);
  replace_file(checkpoint, bytes);
  const Outcome damaged = molgauge(
      {"predict", "admet-ai", input, "--out", out, "--weights", weights, "--store", place.path("store")});
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("the manifest says"));
}

}  // namespace
}  // namespace molgauge::test
