#include "domain/saved_domain.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "made_up_molecules.h"
#include "support/faulty_files.h"
#include "support/fixtures.h"

namespace headroom::domain {
namespace {

SavedDomain made_up_domain(Method method) {
  std::mt19937 random(1);
  SavedDomain saved;
  saved.source = {"ecfp", "native", "ecfp:0123"};
  saved.settings = {.method = method, .level = 0.05, .seed = 4, .threads = 1};
  saved.training_file = "train.csv";
  saved.notes.known.elements = {6, 8};
  saved.notes.known.rings = {"c1ccccc1"};
  saved.notes.known.log_p = {-1.5, 4.25};
  for (int i = 0; i < 120; ++i) {
    saved.notes.names.push_back("a \"name\", with a comma " + std::to_string(i));
    saved.notes.smiles.push_back("C" + std::to_string(i));
    saved.notes.canonical_smiles.push_back("C" + std::to_string(i));
    saved.notes.scaffolds.push_back("kind " + std::to_string(i % 20));
  }
  saved.curve.molecules = 10;
  saved.curve.bins = {{0, 1, 5, 0.5, 0.25, 0.75}, {1, 2, 5, 1, 0.5, 1.5}};
  saved.value_name = "pIC50";
  saved.values.assign(120, 6.5);
  saved.values[7] = std::numeric_limits<double>::quiet_NaN();
  saved.domain = std::make_shared<const CalibratedDomain>(made_up_molecules(120, random),
                                                          saved.notes.scaffolds, saved.settings);
  return saved;
}

TEST(SavedDomain, ScoresAsBeforeItWasSaved) {
  for (const Method method : {Method::combined, Method::density, Method::tanimoto, Method::mahalanobis}) {
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
  }
}

/// A folder without measured values is like one of an earlier version.
TEST(SavedDomain, NeedsNoValues) {
  const test::TemporaryFolder folder;
  SavedDomain saved = made_up_domain(Method::knn);
  saved.values.clear();
  save_domain(saved, folder / "domain");
  EXPECT_THAT(read_file(folder / "domain" / "domain-manifest.json"),
              testing::Not(testing::HasSubstr("value_column")));
  const SavedDomain again = load_domain(folder / "domain", 1);
  EXPECT_TRUE(again.values.empty());
  EXPECT_EQ(again.value_name, "pIC50") << "of the label curve";
}

TEST(SavedDomain, RefusesDamage) {
  for (const char* const name : {"domain.safetensors", "molecules.csv", "domain-manifest.json"}) {
    const test::TemporaryFolder folder;
    save_domain(made_up_domain(Method::knn), folder / "domain");
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

/// A fault while a domain replaces another leaves one of the two, or none that is taken for one.
TEST(SavedDomain, SurvivesEveryFault) {
  const SavedDomain saved = made_up_domain(Method::knn);
  test::expect_survives_every_fault(
      {.prepare = [](const auto&) {},
       .write = [&](const std::filesystem::path& folder) { save_domain(saved, folder); },
       .read =
           [](const std::filesystem::path& folder) {
             return is_saved_domain(folder) ? load_domain(folder, 1).value_name : std::string("none");
           }});
}

TEST(SavedDomain, APipeOrADeviceInPlaceOfAFileIsRefused) {
  for (const char* const name : {"domain-manifest.json", "domain.safetensors", "molecules.csv"}) {
    const test::TemporaryFolder folder;
    save_domain(made_up_domain(Method::combined), folder / "domain");
    std::filesystem::remove(folder / "domain" / name);
    std::filesystem::create_symlink("/dev/zero", folder / "domain" / name);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
    std::filesystem::remove(folder / "domain" / name);
    ASSERT_EQ(mkfifo((folder / "domain" / name).c_str(), 0600), 0);
    EXPECT_THROW(load_domain(folder / "domain", 1), InputError) << name;
  }
}

}  // namespace
}  // namespace headroom::domain
