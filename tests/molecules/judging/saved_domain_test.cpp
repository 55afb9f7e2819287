#include "molecules/judging/saved_domain.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/sealed_json.h"
#include "base/options/own_folder.h"
#include "made_up_molecules.h"
#include "molecules/judging/saved/molecule_table.h"
#include "support/faulty_files.h"
#include "support/fixtures.h"

namespace molgauge::domain {
namespace {

SavedDomain made_up_domain(DomainMethod method) {
  std::mt19937 random(1);
  SavedDomain saved;
  saved.source = {"ecfp", "native", "ecfp:0123"};
  saved.settings = {.method = method, .level = 0.05, .threads = 1};
  saved.training_file = "train.csv";
  saved.standardize = Standardize::tautomer;
  saved.duplicates = 7;
  saved.merged = {.redrawn = 5};
  saved.labels = {.conflicts = 3,
                  .ties = 1,
                  .median_range = 0.25,
                  .listed = {{"a", "CCO", {6, 6.5}, 6.25},
                             {"b", "CCN", {0, 1}, std::numeric_limits<double>::quiet_NaN()}},
                  .censored = {12, ">10"},
                  .censored_in_calibration = {2, "<3"}};
  saved.notes.known.elements = {6, 8};
  saved.notes.known.rings = {"c1ccccc1"};
  saved.notes.known.log_p = {-1.5, 4.25};
  for (int i = 0; i < 120; ++i) {
    saved.notes.names.push_back("a \"name\", with a comma " + std::to_string(i));
    saved.notes.smiles.push_back("C" + std::to_string(i));
    saved.notes.canonical_smiles.push_back("C" + std::to_string(i));
    saved.notes.scaffolds.push_back("kind " + std::to_string(i % 20));
    saved.notes.keys.push_back({hash128("drawn " + std::to_string(i)), hash128("parent"), hash128("flat")});
  }
  saved.curve.molecules = 10;
  saved.curve.bins = {{0, 1, 5, 0.5, 0.25, 0.75}, {1, 2, 5, 1, 0.5, 1.5}};
  saved.value_name = "pIC50";
  saved.values.assign(120, 6.5);
  saved.values[7] = std::numeric_limits<double>::quiet_NaN();
  saved.domain = std::make_shared<const CalibratedDomain>(
      made_up_molecules(120, random), saved.notes.scaffolds, std::vector<Hash128>(), saved.settings);
  return saved;
}

TEST(SavedDomain, KeepsTheCalibrationOfPredictions) {
  const test::TemporaryFolder folder;
  SavedDomain saved = made_up_domain(DomainMethod::tanimoto);
  saved.predictions = made_up_predictions();
  save_domain(saved, folder / "domain");
  const SavedDomain again = load_domain(folder / "domain", 1);
  ASSERT_NE(again.predictions, nullptr);
  EXPECT_EQ(again.predictions->settings().coverage, 0.8);
  EXPECT_EQ(again.predictions->settings().columns.prediction, "y_pred");
  for (const double distance : {0.5, 5.0, 50.0}) {
    const auto before = saved.predictions->judge({.value = 2}, {.distance = distance}).interval;
    const auto after = again.predictions->judge({.value = 2}, {.distance = distance}).interval;
    EXPECT_EQ(before.lower, after.lower);
    EXPECT_EQ(before.upper, after.upper);
  }
  saved.predictions = nullptr;
  save_domain(saved, folder / "domain");
  EXPECT_FALSE(std::filesystem::exists(folder / "domain" / "predictions.csv"));
  EXPECT_EQ(load_domain(folder / "domain", 1).predictions, nullptr);
}

TEST(SavedDomain, ScoresAsBeforeItWasSaved) {
  for (const DomainMethod method :
       {DomainMethod::combined, DomainMethod::density, DomainMethod::tanimoto, DomainMethod::mahalanobis}) {
    const test::TemporaryFolder folder;
    const SavedDomain saved = made_up_domain(method);
    save_domain(saved, folder / "domain");
    ASSERT_TRUE(is_saved_domain(folder / "domain"));
    const SavedDomain again = load_domain(folder / "domain", 2);
    std::mt19937 random(9);
    const Molecules others = made_up_molecules(30, random);
    const auto scored = saved.domain->score(others), scored_again = again.domain->score(others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      EXPECT_EQ(scored[i].score, scored_again[i].score) << to_string(method);
      EXPECT_EQ(scored[i].nearest[0].molecule, scored_again[i].nearest[0].molecule);
    }
    EXPECT_EQ(again.notes.names, saved.notes.names);
    EXPECT_EQ(again.notes.known.rings, saved.notes.known.rings);
    EXPECT_EQ(again.notes.known.log_p.high, 4.25);
    EXPECT_EQ(again.domain->calibration().scaffold, saved.domain->calibration().scaffold);
    EXPECT_EQ(again.curve.bins.size(), 2U);
    EXPECT_EQ(again.value_name, "pIC50");
    ASSERT_EQ(again.values.size(), 120U);
    EXPECT_EQ(again.values[0], 6.5);
    EXPECT_TRUE(std::isnan(again.values[7]));
    EXPECT_EQ(again.source.identity, "ecfp:0123");
    EXPECT_EQ(again.standardize.mode, Standardize::tautomer);
    EXPECT_EQ(again.merged.redrawn, 5U);
    EXPECT_EQ(again.labels.conflicts, 3U);
    EXPECT_EQ(again.labels.ties, 1U);
    EXPECT_EQ(again.labels.median_range, 0.25);
    EXPECT_FALSE(again.labels.are_classes);
    ASSERT_EQ(again.labels.listed.size(), 2U);
    EXPECT_EQ(again.labels.listed[0].labels, (std::vector<double>{6, 6.5}));
    EXPECT_EQ(again.labels.listed[0].used, 6.25);
    EXPECT_EQ(again.labels.listed[1].smiles, "CCN");
    EXPECT_TRUE(std::isnan(again.labels.listed[1].used));
    EXPECT_EQ(again.labels.censored.count, 12U);
    EXPECT_EQ(again.labels.censored_in_calibration.first, "<3");
    ASSERT_EQ(again.notes.keys.size(), 120U);
    EXPECT_EQ(again.notes.keys[119].drawn, saved.notes.keys[119].drawn);
    EXPECT_EQ(again.notes.keys[0].flat, hash128("flat"));
  }
}

/// A saved domain without measured values has no fields for them.
TEST(SavedDomain, NeedsNoValues) {
  const test::TemporaryFolder folder;
  SavedDomain saved = made_up_domain(DomainMethod::knn);
  saved.values.clear();
  save_domain(saved, folder / "domain");
  EXPECT_THAT(read_file(folder / "domain" / "domain-manifest.json"),
              testing::Not(testing::HasSubstr("value_column")));
  const SavedDomain again = load_domain(folder / "domain", 1);
  EXPECT_TRUE(again.values.empty());
  EXPECT_EQ(again.value_name, "pIC50") << "of the label curve";
}

TEST(SavedDomain, KeepsTheErrorsOfClasses) {
  const test::TemporaryFolder folder;
  SavedDomain saved = made_up_domain(DomainMethod::knn);
  saved.curve.task = LabelCurve::Task::classification;
  saved.curve.negative_value = 1;
  saved.curve.positive_value = 2;
  saved.curve.positives = 4;
  saved.curve.scaffolds = 6;
  saved.curve.auroc = {0.75, 0.5, 0.875};
  saved.curve.bins[0].auroc = {1, LabelCurve::kUnknown, LabelCurve::kUnknown};
  saved.curve.bins[0].positives = 3;
  saved.curve.bins[1].error_low = LabelCurve::kUnknown;
  save_domain(saved, folder / "domain");
  const LabelCurve again = load_domain(folder / "domain", 1).curve;
  EXPECT_TRUE(again.is_classification());
  EXPECT_EQ(again.negative_value, 1);
  EXPECT_EQ(again.positive_value, 2);
  EXPECT_EQ(again.positives, 4U);
  EXPECT_EQ(again.scaffolds, 6U);
  EXPECT_EQ(again.auroc.high, 0.875);
  EXPECT_EQ(again.bins[0].positives, 3U);
  EXPECT_EQ(again.bins[0].auroc.value, 1);
  EXPECT_TRUE(std::isnan(again.bins[0].auroc.low));
  EXPECT_TRUE(std::isnan(again.bins[1].error_low));
  EXPECT_TRUE(std::isnan(again.error_low));
}

TEST(SavedDomain, RefusesDamage) {
  for (const char* const name : {"domain.safetensors", "molecules.csv", "domain-manifest.json"}) {
    const test::TemporaryFolder folder;
    save_domain(made_up_domain(DomainMethod::knn), folder / "domain");
    const auto file = folder / "domain" / name;
    std::string content = read_file(file);
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    content.resize(content.size() - 3);
    replace_file(file, content);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
    std::filesystem::remove(file);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
  }
}

/// Flips every bit of the manifest, because its numbers affect verdicts.
TEST(SavedDomain, NoChangedBitOfTheManifestGoesUnnoticed) {
  const test::TemporaryFolder folder;
  save_domain(made_up_domain(DomainMethod::knn), folder / "domain");
  const auto file = folder / "domain" / "domain-manifest.json";
  const std::string content = read_file(file);
  const auto loaded = [&]() -> std::string {
    try {
      const SavedDomain domain = load_domain(folder / "domain", 1);
      return std::to_string(domain.settings.level) + domain.source.identity + domain.value_name;
    } catch (const InputError& damage) {
      EXPECT_THAT(damage.what(), testing::HasSubstr("domain-manifest.json"));
      return "refused";
    }
  };
  const std::string whole = loaded();
  ASSERT_NE(whole, "refused");
  std::size_t refused = 0;
  for (std::size_t place = 0; place < content.size(); ++place) {
    std::string changed = content;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    std::ofstream(file, std::ios::binary) << changed;
    const std::string now = loaded();
    refused += now == "refused" ? 1 : 0;
    EXPECT_TRUE(now == "refused" || now == whole) << "byte " << place;
  }
  EXPECT_GT(refused, content.size() / 2);
  std::string level = content;
  const auto at = level.find("\"level\": 0.0");
  ASSERT_NE(at, std::string::npos);
  level[at + 11] = '4';
  std::ofstream(file, std::ios::binary) << level;
  EXPECT_EQ(loaded(), "refused");
}

TEST(SavedDomain, OfAnotherFormatOrWithoutAChecksumIsRefused) {
  const test::TemporaryFolder folder;
  save_domain(made_up_domain(DomainMethod::knn), folder / "domain");
  const auto file = folder / "domain" / "domain-manifest.json";
  auto manifest = nlohmann::json::parse(read_file(file));
  manifest.erase("checksum");
  std::ofstream(file) << manifest;
  EXPECT_THROW(load_domain(folder / "domain", 1), InputError);
  manifest["format"] = 2;
  replace_file(file, sealed(manifest).dump());
  EXPECT_THROW(load_domain(folder / "domain", 1), InputError);
}

/// If a fault occurs while a domain replaces another domain, the folder contains the old domain or the new
/// one.
TEST(SavedDomain, SavingAgainSurvivesEveryFault) {
  SavedDomain former = made_up_domain(DomainMethod::knn);
  former.value_name = "former";
  const SavedDomain saved = made_up_domain(DomainMethod::knn);
  test::expect_survives_every_fault(
      {.prepare = [&](const std::filesystem::path& folder) { save_domain(former, folder); },
       .write = [&](const std::filesystem::path& folder) { save_domain(saved, folder); },
       .read = [](const std::filesystem::path& folder) { return load_domain(folder, 1).value_name; }});
}

/// Files of the user stay in the folder. Files of the former domain do not.
TEST(SavedDomain, SavingAgainKeepsFilesOfOthers) {
  for (const bool has_notes : {false, true}) {
    const test::TemporaryFolder folder;
    SavedDomain saved = made_up_domain(DomainMethod::knn);
    save_domain(saved, folder / "domain");
    replace_file(folder / "domain" / "model_0003.pt", "of a former domain");
    if (has_notes) {
      replace_file(folder / "domain" / "notes.txt", "mine");
    }
    std::filesystem::create_directory_symlink("domain", folder / "link");
    saved.value_name = "again";
    save_domain(saved, folder / "link");
    EXPECT_EQ(load_domain(folder / "domain", 1).value_name, "again");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_FALSE(std::filesystem::exists(folder / "domain" / "model_0003.pt"));
    EXPECT_EQ(std::filesystem::exists(folder / "domain" / "notes.txt"), has_notes);
    std::size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      ++entries;
      EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("domain", "link"));
    }
    EXPECT_EQ(entries, 2U);
  }
}

/// The list of own files (base/options/saved_domain_files.h) contains every file that is written.
TEST(SavedDomain, ItsFilesAreListed) {
  const test::TemporaryFolder folder;
  save_domain(made_up_domain(DomainMethod::combined), folder / "domain");
  for (const auto& entry : std::filesystem::directory_iterator(folder / "domain")) {
    EXPECT_TRUE(options::is_file_of_saved_domain(entry.path().filename().string())) << entry.path();
  }
}

/// If a fault occurs while a domain is saved for the first time, the folder contains the domain or none.
TEST(SavedDomain, SurvivesEveryFault) {
  const SavedDomain saved = made_up_domain(DomainMethod::knn);
  test::expect_survives_every_fault(
      {.prepare = [](const auto&) {},
       .write = [&](const std::filesystem::path& folder) { save_domain(saved, folder); },
       .read =
           [](const std::filesystem::path& folder) {
             return is_saved_domain(folder) ? load_domain(folder, 1).value_name : std::string("none");
           }});
}

TEST(SavedDomain, ADamagedKeyIsNamedByFileAndLine) {
  const test::TemporaryFolder folder;
  const auto path = folder / "molecules.csv";
  std::ofstream(path) << "name,smiles,canonical_smiles,scaffold,drawn_key,parent_key,flat_key\n"
                         "a,C,C,,0123,4567,89ab\n";
  try {
    read_molecules(path);
    FAIL() << "no error";
  } catch (const InputError& problem) {
    EXPECT_THAT(problem.what(), testing::HasSubstr("molecules.csv:2: a key has another length"));
  }
}

TEST(SavedDomain, APipeOrADeviceInPlaceOfAFileIsRefused) {
  for (const char* const name : {"domain-manifest.json", "domain.safetensors", "molecules.csv"}) {
    const test::TemporaryFolder folder;
    save_domain(made_up_domain(DomainMethod::combined), folder / "domain");
    std::filesystem::remove(folder / "domain" / name);
    std::filesystem::create_symlink("/dev/zero", folder / "domain" / name);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
    std::filesystem::remove(folder / "domain" / name);
    ASSERT_EQ(mkfifo((folder / "domain" / name).c_str(), 0600), 0);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
  }
}

}  // namespace
}  // namespace molgauge::domain
