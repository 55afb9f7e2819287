// Imports features and a head of the Python project. The energies of the head must equal the energies that
// the Python project computed.

#include <sstream>

#include <gmock/gmock.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/npz.h"
#include "pickle_writer.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

constexpr float kTolerance = 1e-5f;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(ImportsParity, AHeadScoresImportedMoleculesAsTheReference) {
  REQUIRE_REFERENCE("ood/losses.npz");
  const auto smiles = lines_of(read_file(reference_data("minimol/reference_smiles.txt")));
  const io::TensorData stored = io::read_npy(reference_data("minimol/reference_fingerprints.npy"));
  const auto fingerprints = stored.to_float32();
  const auto width = static_cast<std::size_t>(stored.shape.at(1));
  std::map<std::string, std::vector<float>> rows;
  for (std::size_t i = 0; i * width < fingerprints.size(); ++i) {
    const auto first = fingerprints.begin() + static_cast<std::ptrdiff_t>(i * width);
    rows[smiles.at(i)].assign(first, first + static_cast<std::ptrdiff_t>(width));
  }
  const auto arrays = io::read_npz(reference_data("ood/losses.npz"));
  std::string molecules;
  for (const float index : arrays.at("ood_index").to_float32()) {
    molecules += smiles.at(static_cast<std::size_t>(index)) + "\n";
  }

  const Workplace place;
  const std::string store = place.path("store");
  ASSERT_EQ(
      molgauge({"store", "import", place.file("cache.pkl", feature_cache(rows)), "--store", store}).exit_code,
      0);
  const Outcome scored = molgauge({"score", reference_data("ood/head.pt").string(),
                                   place.file("m.smi", molecules), "--encoder", "minimol", "--features",
                                   "imported:cache", "--store", store, "--out", place.path("scores.csv")});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const auto lines = lines_of(read_file(place.path("scores.csv")));
  const auto expected = arrays.at("energy.dpo.ood").to_float32();
  ASSERT_EQ(lines.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // The column energy_score comes before the last column, ood_prediction. The last column is empty for a
    // run without held-out molecules.
    const auto end = lines[i + 1].rfind(',');
    EXPECT_NEAR(std::stof(lines[i + 1].substr(lines[i + 1].rfind(',', end - 1) + 1)), expected[i], kTolerance)
        << lines[i + 1];
  }
}

}  // namespace
}  // namespace molgauge::test
