// Compares the network of Uni-Mol and its inputs with the public implementation, if the reference data is
// installed.

#include <array>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/npz.h"
#include "molecules/encoders/minimol/parameters.h"
#include "molecules/encoders/unimol/featuriser.h"
#include "molecules/encoders/unimol/network.h"
#include "molecules/encoders/unimol/unimol_encoder.h"
#include "support/fixtures.h"
#include "unimol_reference.h"

namespace molgauge::encoders::unimol {
namespace {

using molgauge::test::as_integers;
using molgauge::test::batches_in;
using molgauge::test::difference;
using molgauge::test::reference_data;
using molgauge::test::unpadded;

/// Compares the features of molecules, atoms and pairs, in the form in which users receive them, with the
/// reference outputs.
TEST(UnimolParity, FeaturesOfMoleculesAtomsAndPairs) {
  REQUIRE_REFERENCE("unimol/small_model.pt");
  const std::filesystem::path file = reference_data("unimol/small_model.pt");
  const UnimolEncoder encoder(select_tensors(io::read_checkpoint(file), file), {.weights_sha256 = "small"},
                              {.fine = {.atoms = true, .pairs = true}});
  const io::TensorMap inputs = io::read_npz(reference_data("unimol/small_inputs.npz"));
  const io::TensorMap expected = io::read_npz(reference_data("unimol/small_outputs.npz"));
  for (const std::string& batch : batches_in(inputs)) {
    SCOPED_TRACE(batch);
    const std::vector<Inputs> molecules = unpadded(inputs, batch);
    std::vector<const FeaturisedMolecule*> pointers;
    for (const Inputs& molecule : molecules) {
      pointers.push_back(&molecule);
    }
    const auto places = static_cast<std::size_t>(inputs.at(batch + "_src_tokens").shape[1]);
    const std::size_t width = encoder.width(), heads = encoder.pair_width();
    const std::vector<float> classes = expected.at(batch + "_cls_repr").to_float32();
    const std::vector<float> tokens = expected.at(batch + "_encoder_out").to_float32();
    const std::vector<float> pairs = expected.at(batch + "_pair_repr").to_float32();
    std::vector<float> rows(molecules.size() * width);
    std::size_t visited = 0;
    encoder.encode_finely(pointers, rows, [&](std::size_t m, const AtomPairFeatures& features) {
      const std::size_t count = molecules[m].tokens.size();
      ASSERT_EQ(features.atoms.size(), (count - 2) * width);
      ASSERT_EQ(features.pairs.size(), count * count * heads);
      EXPECT_LE(
          difference(features.atoms.data(), tokens.data() + (m * places + 1) * width, features.atoms.size()),
          1e-4);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_LE(difference(features.pairs.data() + i * count * heads,
                             pairs.data() + (m * places + i) * places * heads, count * heads),
                  1e-4);
      }
      ++visited;
    });
    EXPECT_EQ(visited, molecules.size());
    EXPECT_LE(difference(rows.data(), classes.data(), rows.size()), 1e-4);
  }
}

TEST(UnimolParity, InputsOfPlacedMolecules) {
  REQUIRE_REFERENCE("unimol/preprocess_ref.npz");
  const io::TensorMap arrays = io::read_npz(reference_data("unimol/preprocess_ref.npz"));
  // Elements by token, for the elements in the dictionary.
  constexpr std::array<std::uint8_t, kTokens> kElements = {0,  0,  0,  29, 6,  7,  8,  16, 1,  17, 9,
                                                           35, 53, 14, 15, 5,  11, 19, 13, 20, 50, 33,
                                                           80, 26, 30, 24, 34, 64, 79, 3,  0};
  std::size_t compared = 0;
  for (const std::string& tagged : batches_in(arrays)) {  // m00_all_h, m00_no_h, ...
    if (!tagged.ends_with("all_h")) {
      continue;
    }
    const std::string name = tagged.substr(0, tagged.find('_') + 1);
    SCOPED_TRACE(name);
    ++compared;
    const std::vector<std::int64_t> all = as_integers(arrays.at(name + "all_h_src_tokens"));
    const std::vector<float> places = arrays.at(name + "raw_coord_all_h").to_float32();
    chem::Conformer conformer, heavy;
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      const std::uint8_t element = kElements[static_cast<std::size_t>(all[i + 1])];
      const std::array<float, 3> place = {places[3 * i], places[3 * i + 1], places[3 * i + 2]};
      conformer.elements.push_back(element);
      conformer.positions.push_back(place);
      if (element != 1) {
        heavy.elements.push_back(element);
        heavy.positions.push_back(place);
      }
    }
    for (const auto& [tag, atoms] : {std::pair{"all_h", conformer}, std::pair{"no_h", heavy}}) {
      const auto inputs = featurise(atoms);
      EXPECT_EQ(inputs->tokens, as_integers(arrays.at(name + tag + "_src_tokens")));
      const std::vector<float> distances = arrays.at(name + tag + "_src_distance").to_float32();
      ASSERT_EQ(inputs->distances.size(), distances.size());
      EXPECT_LE(difference(inputs->distances.data(), distances.data(), distances.size()), 1e-4);
      std::vector<std::int64_t> kinds;
      for (const std::int64_t first : inputs->tokens) {
        for (const std::int64_t second : inputs->tokens) {
          kinds.push_back(pair_kind(first, second));
        }
      }
      EXPECT_EQ(kinds, as_integers(arrays.at(name + tag + "_src_edge_type")));
    }
  }
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace molgauge::encoders::unimol
