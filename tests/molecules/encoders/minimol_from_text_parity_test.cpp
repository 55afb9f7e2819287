#include <fstream>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/io/tensors/npy.h"
#include "minimol_fixtures.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/minimol/minimol_encoder.h"
#include "support/fixtures.h"

namespace molgauge::encoders::minimol {
namespace {

std::vector<std::unique_ptr<FeaturisedMolecule>> featurise_reference_texts(const Encoder& encoder) {
  std::ifstream file(test::reference_data("minimol/reference_smiles.txt"));
  std::vector<std::unique_ptr<FeaturisedMolecule>> molecules;
  for (std::string smiles; std::getline(file, smiles);) {
    chem::MoleculeRecord record;
    record.text = smiles;
    molecules.push_back(encoder.featurise(chem::perceive(record, encoder.perception())));
  }
  return molecules;
}

at::Tensor encode_reference_texts(const Encoder& encoder) {
  const auto molecules = featurise_reference_texts(encoder);
  std::vector<const FeaturisedMolecule*> batch;
  for (const auto& molecule : molecules) {
    batch.push_back(molecule.get());
  }
  at::Tensor rows = at::empty(
      {static_cast<std::int64_t>(batch.size()), static_cast<std::int64_t>(encoder.width())}, at::kFloat);
  encoder.encode(batch, {rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())});
  return rows.to(at::kDouble);
}

TEST(MinimolFromTextParity, PublishedWeightsGiveTheFingerprintsOfThePackage) {
  REQUIRE_REFERENCE("minimol/pivot_fingerprints.npy");
  auto weights = test::published_weights();
  if (!weights) {
    GTEST_SKIP() << "published weights are not here: set MOLGAUGE_TEST_WEIGHTS to a folder, wheel or .pth";
  }
  const at::Tensor rows = encode_reference_texts(CpuMinimolEncoder(std::move(*weights), ""));
  const at::Tensor pivot =
      test::to_float64(io::read_npy(test::reference_data("minimol/pivot_fingerprints.npy")));
  const at::Tensor package =
      test::to_float64(io::read_npy(test::reference_data("minimol/reference_fingerprints.npy")));
  ASSERT_EQ(rows.sizes(), pivot.sizes());
  const at::Tensor differences = (rows - pivot).abs().amax(1);
  const at::Tensor cosines = at::cosine_similarity(rows, package, 1);
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    EXPECT_LE(differences[i].item<double>(), 2e-4) << "molecule " << i;
    EXPECT_GE(cosines[i].item<double>(), 0.999) << "molecule " << i;
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
